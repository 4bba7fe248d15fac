//! What JavaScript sees.

use wasm_bindgen::prelude::wasm_bindgen;

/// Lofting for the files of one page or workspace.
#[wasm_bindgen]
#[derive(Default)]
pub struct Lofting(crate::Session);

#[wasm_bindgen]
impl Lofting {
    /// A session without files.
    #[wasm_bindgen(constructor)]
    pub fn new() -> Lofting {
        Lofting::default()
    }

    /// The answer to a question, both in JSON.
    pub fn answer(&mut self, question: &str) -> String {
        self.0.answer(question)
    }
}
