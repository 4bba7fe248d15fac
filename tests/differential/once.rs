//! Programs that differed once.

use crate::edits;
use crate::program::{Edit, Program};

/// A default that breaks its rule, of which the findings of values read how it is written: they are kept as long as the
/// schema means what it did.
const WRONG_DEFAULT: [(&str, &str); 2] = [
    (
        "schema.yml",
        "#@data/values-schema\n---\nname:\n#@schema/type any=True\n- {a: 1}\nport: 1.5\ntls:\n  host: true\n  env:\n  - 80\n  \
         kind:\n    host:\n    #@schema/type any=True\n    - {a: 1}\n    env: web\n    #@schema/desc \"words\"\n    kind:\n      \
         #@schema/validation one_of=[True]\n      #@schema/deprecated \"no\"\n      app-id: true\n      items: 80\n  \
         \"10\":\n  #@schema/validation min_len=2\n  - web\ndb: 80\n",
    ),
    ("values.yml", "db: 7\n#@data/values\n---\nname: 1.5\nport: 1e3\n#@overlay/replace or_add=True\ndb: 0\n"),
];

const EDITS: [(usize, usize, usize, &str); 5] =
    [(0, 301, 5, "port: x\n"), (0, 273, 0, "1"), (1, 24, 0, "#@ x = 1\n"), (1, 84, 0, "\t"), (0, 199, 0, "1")];

#[test]
fn what_differed_once_does_so_no_longer() {
    let files = WRONG_DEFAULT.map(|(path, text)| (path.to_owned(), text.to_owned())).into();
    let edit = |(file, at, length, new): (usize, usize, usize, &str)| Edit { file, at, length, new: new.to_owned() };
    let program = Program { files, edits: EDITS.map(edit).into() };
    assert_eq!(edits::differs(&program), None);
}
