"""How a subject is asked: in a process of its own, by lines, each answer by a deadline.

workers       asks, here or in a process, and starts it again after a hang or an exit
processes     a program, or a fork of this one; process_groups finds all that it has started
lateness      in which order cases are asked, and what is given up for late answers
"""
