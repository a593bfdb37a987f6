"""How a subject is asked: in a process of its own, by lines, each answer by a deadline.

workers       asks, here or in a process, and starts it again after a hang or an exit
processes     a program, or a fork of this one; process_groups finds all that it has started
pipes         lines that cannot make this process wait
deadlines     how long an answer may take
scheduling    what is asked while another answer is late
lateness      what is given up for late answers
"""
