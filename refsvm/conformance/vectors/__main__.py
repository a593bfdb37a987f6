"""Write the vectors: python -m refsvm.conformance.vectors FOLDER"""

import sys

from . import export

if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("usage: python -m refsvm.conformance.vectors FOLDER")
    export(sys.argv[1])
