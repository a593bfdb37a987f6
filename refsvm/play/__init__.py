"""The page on which points are dragged, and the exact optimum moves along.

states         the state of the page as a text, in a link and in a question
answers        the answer to a question: what the server calls, and a browser without a server
shown_machine  a machine at one moment, and numbers as shown: what the three machines share
classification, regression, one_class      what holds at each point, in words
algorithms     SMO, the perceptron and Pegasos  curves      what is drawn, as paths
python_program a state as a Python program      presets     what the page begins with
page           the HTML, style and scripts      server      which serves them, on this machine
"""
