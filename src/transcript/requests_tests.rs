use super::*;

fn file(name: &str) -> Vec<u8> {
    let folder = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/tests/fixtures/oracle/transcripts"
    );
    std::fs::read(format!("{folder}/{name}.jsonl")).expect(name)
}

/// The messages of a request by their roles and the first words of each block.
fn told(body: &Value) -> Vec<String> {
    let messages = body["messages"].as_array().expect("messages").iter();
    let told = messages.map(|message| {
        let blocks = message["content"].as_array().expect("blocks").iter();
        let kinds: Vec<_> = blocks
            .map(|block| block["type"].as_str().unwrap_or_default())
            .collect();
        format!(
            "{} {}",
            message["role"].as_str().unwrap_or_default(),
            kinds.join("+")
        )
    });
    told.collect()
}

/// As many messages as were seen on the wire, each of them found.
#[test]
fn every_request_is_rebuilt_whole() {
    for (name, counts) in [
        ("compacted_resumed_2.1.332", &[2, 4, 6, 8, 10, 6][..]),
        ("instructions_changed_2.1.332", &[2, 4]),
    ] {
        let bytes = file(name);
        let requests = Requests::read(&bytes[..], bytes.len() as u64).unwrap();
        let found: Vec<_> = requests
            .list
            .iter()
            .map(|request| request.messages.len())
            .collect();
        assert_eq!(found, counts, "{name}");
        for request in &requests.list {
            let rebuilt = requests.rebuild(&bytes[..], request).unwrap();
            assert_eq!(rebuilt.missing, [""; 0], "{name}");
            assert_eq!(rebuilt.body["model"], "claude-opus-5-5");
            assert_eq!(rebuilt.body["system"].as_array().map(Vec::len), Some(2));
            assert!(
                rebuilt.body["tools"]
                    .as_array()
                    .is_some_and(|tools| tools.len() > 5)
            );
        }
    }
}

#[test]
fn a_request_has_its_messages_and_its_breakpoints() {
    let bytes = file("compacted_resumed_2.1.332");
    let requests = Requests::read(&bytes[..], bytes.len() as u64).unwrap();
    let request = requests
        .request("8c4cae2b-d84a-4aa0-bef4-467b2f5a0fd1")
        .expect("the fifth");
    assert_eq!(
        (request.model(), &*request.asked_by),
        (Some("claude-opus-5-5"), "sdk")
    );
    let body = requests.rebuild(&bytes[..], request).unwrap().body;
    let wanted = [
        "user text+text+text",
        "system text",
        "assistant text+tool_use",
        "user tool_result",
        "assistant tool_use+tool_use",
        "user tool_result+tool_result",
        "assistant tool_use",
        "user tool_result",
        "assistant text",
        "user text",
    ];
    assert_eq!(told(&body), wanted);
    let mark = json!({"type": "ephemeral"});
    let last = &body["messages"][9]["content"][0];
    assert_eq!(
        (&last["text"], &last["cache_control"]),
        (&json!("second prompt"), &mark)
    );
    assert_eq!(body["system"][1]["cache_control"], mark);
    assert_eq!(body["messages"][8]["content"][0].get("cache_control"), None);
}

/// What is gone from the file is said, and the rest is there.
#[test]
fn what_is_missing_is_named() {
    let bytes = file("compacted_resumed_2.1.332");
    let text = String::from_utf8(bytes).unwrap();
    let is_left =
        |line: &&str| !line.contains("\"second prompt\"") && !line.contains("api-request-shape");
    let text: String = text.split_inclusive('\n').filter(is_left).collect();
    let requests = Requests::read(text.as_bytes(), text.len() as u64).unwrap();
    let rebuilt = requests
        .rebuild(text.as_bytes(), &requests.list[4])
        .unwrap();
    assert_eq!(rebuilt.missing.len(), 2);
    assert!(rebuilt.missing[0].starts_with("system and tools (shape bbe74550"));
    assert!(rebuilt.missing[1].starts_with("message 9 (hash 2a5a7efc"));
    assert_eq!(rebuilt.body["messages"][9], Value::Null);
    assert_eq!(
        rebuilt.body["messages"][8]["content"][0]["text"],
        "answer one"
    );
}

#[test]
fn the_hash_is_of_sorted_compact_json_without_cache_marks() {
    let one = json!({"role": "user", "content": [{"type": "text", "text": "é\n", "cache_control": {"type": "ephemeral"}}]});
    let wanted =
        Sha256::digest("{\"content\":[{\"text\":\"é\\n\",\"type\":\"text\"}],\"role\":\"user\"}");
    let wanted: String = wanted.iter().map(|byte| format!("{byte:02x}")).collect();
    assert_eq!(hash(&one), wanted);
}

#[test]
fn older_clients_record_none() {
    let bytes = file("compacted_resumed_2.1.220");
    assert_eq!(
        Requests::read(&bytes[..], bytes.len() as u64).unwrap().list,
        []
    );
}
