#!/usr/bin/env node
// pre-commit makes only the programs of this package available.
require("lofting/bin/lofting.js");
