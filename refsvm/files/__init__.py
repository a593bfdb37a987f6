"""Files: LIBSVM's data, models and scaling ranges, read and written.

    text.py      what the three share: plain or gzipped text, refusals by line, decimals
    outputs.py   writing, try_outputs                  whole files only, tried before the work
    table_columns.py  TableColumns                 the columns of a table, and how they are kept
    libsvm_data.py  read_libsvm                    label index:value index:value ..
    models.py    read_model, write_model           what svm-train writes; model_text.py
    matching.py  match_rows                        which rows a model's vectors are
    scaling.py   Scaling, read_scaling, write_scaling  what svm-scale -s writes

Beside tables/ this is the only part of refsvm that opens files, but for the command line.
"""

STDOUT = "/dev/stdout"  # the name of standard output as a file, on any system
