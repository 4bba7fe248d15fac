//! Names of sets of characters, as in `\p{Greek}`.

/// Categories of Unicode. Go knows neither their long names nor the properties that other libraries do.
const CATEGORIES: &str =
    "C Cc Cf Co Cs L Ll Lm Lo Lt Lu M Mc Me Mn N Nd Nl No P Pc Pd Pe Pf Pi Po Ps S Sc Sk Sm So Z Zl Zp Zs";

/// Scripts of Unicode 15, of which Go knows only these spellings.
const SCRIPTS: &str = "\
    Adlam Ahom Anatolian_Hieroglyphs Arabic Armenian Avestan Balinese Bamum Bassa_Vah Batak Bengali Bhaiksuki Bopomofo \
    Brahmi Braille Buginese Buhid Canadian_Aboriginal Carian Caucasian_Albanian Chakma Cham Cherokee Chorasmian Common \
    Coptic Cuneiform Cypriot Cypro_Minoan Cyrillic Deseret Devanagari Dives_Akuru Dogra Duployan Egyptian_Hieroglyphs \
    Elbasan Elymaic Ethiopic Georgian Glagolitic Gothic Grantha Greek Gujarati Gunjala_Gondi Gurmukhi Han Hangul \
    Hanifi_Rohingya Hanunoo Hatran Hebrew Hiragana Imperial_Aramaic Inherited Inscriptional_Pahlavi \
    Inscriptional_Parthian Javanese Kaithi Kannada Katakana Kawi Kayah_Li Kharoshthi Khitan_Small_Script Khmer Khojki \
    Khudawadi Lao Latin Lepcha Limbu Linear_A Linear_B Lisu Lycian Lydian Mahajani Makasar Malayalam Mandaic Manichaean \
    Marchen Masaram_Gondi Medefaidrin Meetei_Mayek Mende_Kikakui Meroitic_Cursive Meroitic_Hieroglyphs Miao Modi \
    Mongolian Mro Multani Myanmar Nabataean Nag_Mundari Nandinagari New_Tai_Lue Newa Nko Nushu Nyiakeng_Puachue_Hmong \
    Ogham Ol_Chiki Old_Hungarian Old_Italic Old_North_Arabian Old_Permic Old_Persian Old_Sogdian Old_South_Arabian \
    Old_Turkic Old_Uyghur Oriya Osage Osmanya Pahawh_Hmong Palmyrene Pau_Cin_Hau Phags_Pa Phoenician Psalter_Pahlavi \
    Rejang Runic Samaritan Saurashtra Sharada Shavian Siddham SignWriting Sinhala Sogdian Sora_Sompeng Soyombo Sundanese \
    Syloti_Nagri Syriac Tagalog Tagbanwa Tai_Le Tai_Tham Tai_Viet Takri Tamil Tangsa Tangut Telugu Thaana Thai Tibetan \
    Tifinagh Tirhuta Toto Ugaritic Vai Vithkuqi Wancho Warang_Citi Yezidi Yi Zanabazar_Square";

/// The set with a name in the syntax of the `regex` crate, in a class or outside one. None if Go knows no such name.
pub(super) fn set(name: &str, negated: bool) -> Option<String> {
    let is_known = name == "Any" || CATEGORIES.split(' ').chain(SCRIPTS.split(' ')).any(|known| known == name);
    let hat = if negated { "^" } else { "" };
    is_known.then(|| match name {
        // Without characters that are not assigned, unlike in Unicode and in Rust. Surrogates are in no text.
        "C" => format!(r"[{hat}\p{{Cc}}\p{{Cf}}\p{{Co}}]"),
        "Cs" => format!(r"[{}]", if negated { r"\p{Any}" } else { r"^\p{Any}" }),
        _ => format!(r"\{}{{{name}}}", if negated { 'P' } else { 'p' }),
    })
}
