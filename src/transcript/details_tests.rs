use super::*;

fn read(text: Option<Text<'_>>) -> String {
    text.map(|text| text.read().into_owned())
        .unwrap_or_default()
}

#[test]
fn a_tool_is_told_by_the_most_telling_of_its_input() {
    let line = br#"{"message":{"content":[{"type":"text","text":"x"},{"type":"tool_use","id":"a","name":"Grep","input":{"pattern":"p","path":"/srv"}},{"type":"tool_use","id":"b","name":"Agent","input":{"prompt":"look","subagent_type":"reviewer","description":"Look at it"}}]}}"#;
    let details = Details::of_line(line).unwrap();
    let told: Vec<_> = details
        .calls
        .iter()
        .map(|call| (read(call.id), read(call.about), read(call.agent)))
        .collect();
    let wanted = [("a", "p", ""), ("b", "Look at it", "reviewer")];
    let wanted = wanted.map(|(a, b, c)| (a.to_string(), b.to_string(), c.to_string()));
    assert_eq!(told, wanted);
    let input = details.calls[0].input.clone();
    assert_eq!(&line[input], br#"{"pattern":"p","path":"/srv"}"#);
}

#[test]
fn files_are_told_of_every_kind_of_attachment() {
    let paths = |line: &[u8]| {
        let details = Details::of_line(line).unwrap();
        let files = details.attached.files.iter();
        files
            .map(|file| (read(Some(file.path)), read(file.layer), read(file.text)))
            .collect::<Vec<_>>()
    };
    let wanted = |path: &str, layer: &str, text: &str| {
        vec![(path.to_string(), layer.to_string(), text.to_string())]
    };
    let line = br#"{"attachment":{"type":"instructions","changed":true,"files":[{"path":"/a","type":"User","content":"x"}]}}"#;
    assert_eq!(paths(line), wanted("/a", "User", "x"));
    assert!(Details::of_line(line).unwrap().attached.changed);
    let line = br#"{"attachment":{"type":"file","filename":"/b","content":{"type":"text","file":{"filePath":"/b","content":"y"}}}}"#;
    assert_eq!(paths(line), wanted("/b", "", "y"));
    let line = br#"{"attachment":{"type":"nested_memory","path":"/c","content":{"path":"/c","content":"z"}}}"#;
    assert_eq!(paths(line), wanted("/c", "", "z"));
    let line = br#"{"attachment":{"type":"relevant_memories","memories":[{"path":"/d","content":"w","mtimeMs":1}]}}"#;
    assert_eq!(paths(line), wanted("/d", "", "w"));
}

#[test]
fn a_boundary_says_what_it_did() {
    let line = br#"{"type":"system","content":"Conversation compacted","compactMetadata":{"trigger":"auto","preTokens":9,"postTokens":3}}"#;
    let details = Details::of_line(line).unwrap();
    assert_eq!(read(details.trigger), "auto");
    assert_eq!((details.before, details.after), (Some(9), Some(3)));
    assert_eq!(read(details.content), "Conversation compacted");
}
