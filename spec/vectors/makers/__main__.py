"""Write the vectors: python3 -m spec.vectors.makers FOLDER"""

import sys

from . import export

if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("usage: python3 -m spec.vectors.makers FOLDER")
    export(sys.argv[1])
