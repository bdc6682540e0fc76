use super::*;

fn found(text: &str, words: &str) -> Vec<String> {
    let mut hits = Vec::new();
    let query = Query::new(words);
    search(
        text.as_bytes(),
        0..text.len() as u64,
        &query,
        &mut |_, hit| {
            hits.extend(hit.map(|hit| hit.text));
            true
        },
    )
    .unwrap();
    hits
}

#[test]
fn words_are_found_in_what_is_said_and_nowhere_else() {
    let text = r#"{"type":"user","uuid":"needle","message":{"role":"user","content":"The Needle\nis blue"}}
{"type":"assistant","message":{"content":[{"type":"tool_use","id":"a","name":"Read","input":{"x":"needle"}}]}}
{"type":"user","message":{"content":[{"type":"tool_result","tool_use_id":"a","content":[{"type":"text","text":"a needle, \u00c4rger"},{"type":"image","source":{"type":"base64","data":"needle"}}]}]}}
{"type":"attachment","attachment":{"type":"file","content":"needle"}}
"#;
    assert_eq!(found(text, "needle"), ["The Needle", "a needle, Ärger"]);
    assert_eq!(found(text, "blue needle"), ["The Needle"]);
    assert_eq!(found(text, "ÄRGER"), ["a needle, Ärger"]);
    assert_eq!(found(text, "tool_use"), Vec::<String>::new());
}

#[test]
fn a_long_line_is_cut_round_its_match() {
    let text = format!(
        "{{\"type\":\"user\",\"message\":{{\"content\":\"{}needle{}\"}}}}\n",
        "x ".repeat(500),
        " y".repeat(500)
    );
    let hits = found(&text, "needle");
    assert!(
        hits[0].starts_with('…') && hits[0].contains("needle"),
        "{hits:?}"
    );
    assert!(hits[0].chars().count() <= SHOWN + 1);
}
