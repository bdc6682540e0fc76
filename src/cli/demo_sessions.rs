//! Sessions of the demo's first project: a long one with a compaction, a sub-agent, recalled memories and
//! what was sent written down; and one that the client's clean-up takes soon.

use std::fs;
use std::io;
use std::path::Path;

use serde_json::{Value, json};

use super::{DAY, before, write};
use crate::base::time::Moment;
use crate::memory::load;

const VERSION: &str = "2.1.332";
const MODEL: &str = "claude-sonnet-4-6";
const LONG: &str = "b2e94c70-5d1f-4a3c-9e08-71c6a0d3f4b5";
const AGENT: &str = "5c1e9a";
const OLD: &str = "0d7a61f3-2c48-4f9b-b6e5-93a8c1e7d204";

/// Lines of a transcript, each on the one before.
pub(super) struct Lines<'a> {
    session: &'a str,
    cwd: String,
    model: &'a str,
    is_agent: bool,
    /// When it began.
    began: Moment,
    all: Vec<Value>,
    last: Option<String>,
}

impl<'a> Lines<'a> {
    pub(super) fn new(session: &'a str, cwd: &Path, began: Moment) -> Self {
        Self {
            session,
            model: MODEL,
            cwd: cwd.to_string_lossy().into_owned(),
            is_agent: false,
            began,
            all: Vec::new(),
            last: None,
        }
    }

    pub(super) fn of_model(self, model: &'a str) -> Self {
        Self { model, ..self }
    }

    /// Adds a line; its id is given back.
    fn add(&mut self, minutes: i64, line: Value) -> String {
        let number = self.all.len() + 1;
        let uuid = format!("{}-{number:04}", &self.session[..self.session.len().min(8)]);
        let time = Moment::from_seconds(self.began.seconds + minutes * 60);
        let mut all = json!({
            "uuid": uuid, "parentUuid": self.last, "sessionId": self.session, "cwd": self.cwd,
            "gitBranch": "main", "version": VERSION, "timestamp": time.rfc3339(),
            "isSidechain": self.is_agent, "entrypoint": "cli",
        });
        if let (Value::Object(all), Value::Object(line)) = (&mut all, line) {
            all.extend(line);
        }
        self.all.push(all);
        self.last = Some(uuid.clone());
        uuid
    }

    pub(super) fn prompt(&mut self, minutes: i64, text: &str) -> String {
        let message = json!({"role": "user", "content": text});
        self.add(minutes, json!({"type": "user", "message": message}))
    }

    fn answer(&mut self, minutes: i64, blocks: &Value) -> String {
        let number = self.all.len();
        let used = json!({
            "input_tokens": 12, "output_tokens": 180 + 37 * number,
            "cache_read_input_tokens": 21_000 + 900 * number, "cache_creation_input_tokens": 700,
        });
        self.answer_for(minutes, blocks, &used)
    }

    /// An answer that used so much.
    pub(super) fn answer_for(&mut self, minutes: i64, blocks: &Value, used: &Value) -> String {
        let number = self.all.len();
        let message = json!({
            "id": format!("msg_{}_{number}", &self.session[..6]), "role": "assistant",
            "model": self.model, "content": blocks, "usage": used,
        });
        self.add(minutes, json!({"type": "assistant", "message": message}))
    }

    fn say(&mut self, minutes: i64, text: &str) -> String {
        self.answer(minutes, &json!([{"type": "text", "text": text}]))
    }

    fn tool(&mut self, minutes: i64, name: &str, input: &Value, result: &str, more: Value) {
        let id = format!("toolu_{}_{}", &self.session[..6], self.all.len());
        let uses = json!([{"type": "tool_use", "id": id, "name": name, "input": input}]);
        self.answer(minutes, &uses);
        let is_error = result.starts_with("Error");
        let result = json!({"type": "tool_result", "tool_use_id": id, "content": result, "is_error": is_error});
        let message = json!({"role": "user", "content": [result]});
        let mut line = json!({"type": "user", "message": message});
        if let (Value::Object(line), Value::Object(more)) = (&mut line, more) {
            line.extend(more);
        }
        self.add(minutes, line);
    }

    fn attach(&mut self, minutes: i64, attachment: &Value) {
        self.add(
            minutes,
            json!({"type": "attachment", "attachment": attachment}),
        );
    }

    pub(super) fn write(&self, path: &Path, minutes: i64) -> io::Result<()> {
        let text: String = self.all.iter().map(|line| format!("{line}\n")).collect();
        let time = Moment::from_seconds(self.began.seconds + minutes * 60);
        write(path, text.as_bytes(), time)
    }
}

/// Writes them into the folder of a project's sessions.
pub(super) fn write_all(kept: &Path, folder: &Path, home: &Path, now: Moment) -> io::Result<()> {
    write_long(kept, folder, home, before(now, DAY + 3 * 60 * 60))?;
    write_agent(kept, folder, before(now, DAY + 150 * 60))?;
    write_old(kept, folder, before(now, 28 * DAY))
}

/// What the client would have sent of the rules and the index as they are.
fn instructions(kept: &Path, folder: &Path, home: &Path) -> Value {
    let text = |path: &Path| {
        fs::read_to_string(path)
            .unwrap_or_default()
            .trim()
            .to_string()
    };
    let rules = folder.join("CLAUDE.md");
    let users = home.join("CLAUDE.md");
    let style = folder.join("docs/style.md");
    let styles = folder.join(".claude/rules/styles.md");
    let index = kept.join("memory/MEMORY.md");
    let loaded = load::load(&fs::read_to_string(&index).unwrap_or_default()).sent();
    json!({"type": "instructions", "files": [
        {"path": users, "type": "User", "content": text(&users)},
        // The rules were shorter then.
        {"path": rules, "type": "Project", "content": "# Storefront\n\n- Run `npm test` before you say that something works."},
        {"path": style, "type": "Project", "content": text(&style)},
        {"path": styles, "type": "Project", "content": text(&styles)},
        {"path": index, "type": "AutoMem", "content": loaded},
    ]})
}

fn write_long(kept: &Path, folder: &Path, home: &Path, began: Moment) -> io::Result<()> {
    let memory = kept.join("memory");
    let vouchers = memory.join("vouchers-round-per-line.md");
    let mocks = memory.join("no-mocks-for-cart-totals.md");
    let text = |path: &Path| fs::read_to_string(path).unwrap_or_default();
    let mut lines = Lines::new(LONG, folder, began);
    lines.prompt(0, "The total of a cart with two vouchers is a cent off. Find out where it is lost, and mend it.");
    lines.attach(0, &instructions(kept, folder, home));
    lines.attach(
        0,
        &json!({"type": "relevant_memories", "memories": [
            {"path": vouchers, "content": text(&vouchers)},
            {"path": mocks, "content": text(&mocks)},
        ]}),
    );
    lines.answer(1, &json!([{"type": "thinking", "thinking": "Rounding once a cart instead of once a line would lose exactly that cent.", "signature": "demo"}]));
    lines.say(1, "A memory says that vouchers round per line. I look at how the total is made, then at the test.");
    lines.tool(
        2,
        "Read",
        &json!({"file_path": vouchers}),
        &text(&vouchers),
        json!({}),
    );
    lines.tool(
        3,
        "Grep",
        &json!({"pattern": "roundHalfUp", "path": "src/cart"}),
        "src/cart/total.ts:41\nsrc/cart/voucher.ts:17",
        json!({}),
    );
    lines.tool(
        4,
        "Bash",
        &json!({"command": "npm test -- cart", "description": "Run the tests of the cart"}),
        "Error: Exit code 1\n  ✗ two vouchers on one line: expected 18.97, got 18.98",
        json!({}),
    );
    lines.tool(30, "Agent", &json!({"description": "Review the rounding", "prompt": "Look at src/cart/voucher.ts", "subagent_type": "reviewer"}), "The second voucher is taken off the rounded price: round once a line, after both.", json!({"toolUseResult": {"status": "completed", "agentId": AGENT}}));
    lines.tool(40, "Edit", &json!({"file_path": folder.join("src/cart/voucher.ts"), "old_string": "roundHalfUp(price - voucher)", "new_string": "price - voucher"}), "The file has been updated.", json!({}));
    let last = lines.say(41, "Both vouchers come off first now, and the line is rounded once. The test of the cart is green:\n\n```\n✓ two vouchers on one line (18.97)\n```");
    lines.last = None;
    let boundary = lines.add(
        55,
        json!({
            "type": "system", "subtype": "compact_boundary", "content": "Conversation compacted",
            "logicalParentUuid": last, "level": "info",
            "compactMetadata": {"trigger": "auto", "preTokens": 167_204, "postTokens": 12_870},
        }),
    );
    lines.last = Some(boundary);
    lines.add(55, json!({
        "type": "user", "isCompactSummary": true, "isVisibleInTranscriptOnly": true,
        "message": {"role": "user", "content": "This session is being continued from a previous conversation.\n\n1. Primary Request and Intent: the total of a cart with two vouchers was a cent off.\n2. Errors and fixes: the second voucher was taken off a rounded price; both come off first now.\n3. Pending Tasks: remember it."},
    }));
    lines.attach(56, &instructions(kept, folder, home));
    let asked = lines.prompt(57, "Remember that. And no mocks in that test, please.");
    // A turn that was taken back.
    lines.prompt(58, "Wait, not yet.");
    lines.last = Some(asked);
    lines.tool(
        59,
        "Read",
        &json!({"file_path": mocks}),
        &text(&mocks),
        json!({}),
    );
    lines.tool(
        60,
        "Edit",
        &json!({"file_path": vouchers, "old_string": "per line", "new_string": "per line"}),
        "The file has been updated.",
        json!({}),
    );
    lines.add(60, json!({"type": "user", "isMeta": true, "message": {"role": "user", "content": "<system-reminder>The file was changed by the person since it was read.</system-reminder>"}}));
    lines.say(61, "It stands in the memory on vouchers now: both come off first, then the line is rounded. The test runs against the real cart.");
    lines.write(&kept.join(format!("{LONG}.jsonl")), 61)
}

fn write_agent(kept: &Path, folder: &Path, began: Moment) -> io::Result<()> {
    let mut lines = Lines::new(LONG, folder, began);
    lines.is_agent = true;
    lines.prompt(
        0,
        "Look at src/cart/voucher.ts: where is a cent lost when two vouchers meet on one line?",
    );
    lines.tool(
        1,
        "Read",
        &json!({"file_path": folder.join("src/cart/voucher.ts")}),
        "17\treturn roundHalfUp(price - voucher);",
        json!({}),
    );
    lines.say(
        2,
        "The second voucher is taken off the rounded price: round once a line, after both.",
    );
    let path = kept
        .join(LONG)
        .join("subagents")
        .join(format!("agent-{AGENT}.jsonl"));
    lines.write(&path, 2)
}

fn write_old(kept: &Path, folder: &Path, began: Moment) -> io::Result<()> {
    let cdn = kept.join("memory/image-cdn-cache-keys.md");
    let mut lines = Lines::new(OLD, folder, began);
    lines.prompt(0, "Pictures of products are old after a release: why?");
    lines.say(
        1,
        "The cache key of the picture service leaves the release out. I write that down.",
    );
    lines.tool(
        2,
        "Write",
        &json!({"file_path": cdn, "content": "x"}),
        "File created successfully.",
        json!({}),
    );
    lines.say(3, "Done: the next one who looks at old pictures finds it.");
    lines.write(&kept.join(format!("{OLD}.jsonl")), 3)
}
