package quicksand

import (
	_ "quicksand/bridges/mediabridge"
)
