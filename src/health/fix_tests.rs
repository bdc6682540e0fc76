use super::*;
use crate::health::Code;
use crate::health::fixture::{NOW, World, good, head, line};

/// The text of `path` after the fix of the one finding of a code; all else must be as it was, and
/// its age too.
#[track_caller]
fn mended(world: &World, code: Code, path: &str) -> String {
    let age = world.modified(path);
    world.mend(code);
    assert_eq!(world.modified(path), age, "its age stays");
    world.text(path)
}

#[track_caller]
fn one(text: &str, code: Code) -> String {
    mended(&World::one(text), code, "one.md")
}

#[track_caller]
fn index(text: &str, code: Code) -> String {
    mended(&World::index(text), code, "MEMORY.md")
}

#[test]
fn a_colon_is_quoted() {
    let text = good("one").replace("What is", "Note: what is");
    let quoted = text.replace(
        "description: Note: what is to be known of one before work begins",
        "description: \"Note: what is to be known of one before work begins\"",
    );
    assert_eq!(one(&text, Code::FrontmatterBroken), quoted);
}

#[test]
fn a_fence_is_closed() {
    let text = good("one").replacen("\n---\n", "\n", 1);
    assert_eq!(one(&text, Code::FrontmatterBroken), good("one"));
}

#[test]
fn tabs_are_spaces_and_a_bom_and_its_line_breaks_stay() {
    let good = format!("\u{FEFF}{}", good("one")).replace('\n', "\r\n");
    let text = good.replace("  type", "\ttype").replace("  node", "\tnode");
    assert_eq!(one(&text, Code::FrontmatterBroken), good);
}

#[test]
fn a_repeated_line_goes() {
    let text = good("one").replacen("name: one\n", "name: one\nname: one\n", 1);
    assert_eq!(one(&text, Code::FrontmatterBroken), good("one"));
}

#[test]
fn a_late_block_comes_first() {
    let text = format!("<!-- kept -->\n\n{}The fact.\n", head("one"));
    let first = format!("{}<!-- kept -->\n\nThe fact.\n", head("one"));
    assert_eq!(one(&text, Code::BlockLate), first);
}

#[test]
fn a_type_goes_under_metadata_or_into_small_letters() {
    let text = good("one").replace("metadata:\n  node_type: memory\n  type", "type");
    let nested = text.replace("type: feedback", "metadata:\n  type: feedback");
    assert_eq!(one(&text, Code::TypePlace), nested);
    let text = good("one").replace("feedback", "Feedback");
    assert_eq!(one(&text, Code::TypeUnknown), good("one"));
}

#[test]
fn a_name_comes_from_the_file() {
    let text = good("one").replace("name: one\n", "");
    let named = text.replace("metadata:", "name: one\nmetadata:");
    assert_eq!(one(&text, Code::FieldMissing), named);
}

#[test]
fn a_field_comes_up() {
    let many: String = (0..28).map(|n| format!("k{n}: v\n")).collect();
    let text = good("one").replacen("name: one\n", "", 1);
    let low = text.replacen("---\n\n", &format!("{many}name: one\n---\n\n"), 1);
    let high = text.replacen("---\n", "---\nname: one\n", 1);
    let high = high.replacen("---\n\n", &format!("{many}---\n\n"), 1);
    assert_eq!(one(&low, Code::FieldBelow30), high);
}

#[test]
fn a_ghost_gets_its_line() {
    let world = World::new();
    world.file("two.md", good("two"));
    world.file("MEMORY.md", line("one") + "\nProse.");
    let hook = "What is to be known of two before work begins";
    let expected = format!("{}- [two](two.md) — {hook}\n\nProse.", line("one"));
    assert_eq!(mended(&world, Code::Ghost, "MEMORY.md"), expected);
}

#[test]
fn a_buried_memory_gets_its_line() {
    let world = World::new();
    world.file("two.md", good("two"));
    let before = format!("{}\nRead [it](two.md).\n", line("one"));
    world.file("MEMORY.md", &before);
    let hook = "What is to be known of two before work begins";
    let expected = before.replacen(".\n\n", ".\n", 0);
    let expected = expected.replacen(
        &line("one"),
        &format!("{}- [two](two.md) — {hook}\n", line("one")),
        1,
    );
    assert_eq!(mended(&world, Code::IndexBuried, "MEMORY.md"), expected);
}

#[test]
fn a_dangling_line_goes() {
    let text = format!("# Index\r\n- [Gone](gone.md) — x\r\n{}tail", line("one"));
    let left = format!("# Index\r\n{}tail", line("one"));
    assert_eq!(
        index(&text.replace("tail", ""), Code::Dangling),
        left.replace("tail", "")
    );
}

#[test]
fn two_lines_for_one_file_are_one() {
    let again = line("one") + "- [Again](one.md)\n";
    assert_eq!(index(&again, Code::DuplicatePointer), line("one"));
    let both = "- [One](one.md) — known\n- [Again](one.md) — be careful\n";
    let merged = "- [One](one.md) — known; be careful\n";
    assert_eq!(index(both, Code::DuplicatePointer), merged);
    let long = "known ".repeat(20);
    let text = format!("- [One](one.md) — {long}\n- [Again](one.md) — be careful of it\n");
    assert_eq!(World::index(text).the(Code::DuplicatePointer).fix, None);
}

#[test]
fn capitals_are_those_of_the_file_and_an_anchor_stays() {
    let text = "- [One](One.md#Part) — known\n";
    let right = "- [One](one.md#Part) — known\n";
    assert_eq!(index(text, Code::CasePointer), right);
    let second = line("one") + "- [Again](ONE.md)\n";
    assert_eq!(index(&second, Code::CasePointer), line("one"));
    assert_eq!(
        index("- [[ONE]] — known\n", Code::CasePointer),
        "- [[one]] — known\n"
    );
}

#[test]
fn an_entry_is_made_one_line() {
    let text = "- [One](one.md) — known\n  of one\n\nProse.\n";
    let joined = "- [One](one.md) — known of one\n\nProse.\n";
    assert_eq!(index(text, Code::IndexMultiline), joined);
}

#[test]
fn a_hook_that_says_nothing_becomes_the_description() {
    let text = "- [The One](one.md): the one\n";
    let described = "- [The One](one.md): What is to be known of one before work begins\n";
    assert_eq!(index(text, Code::HookRepeats), described);
}

#[test]
fn a_name_becomes_a_slug_with_file_line_and_links() {
    let world = World::one(format!("{}\nSee [[Two Things]].\n", head("one")));
    world.file(
        "two.md",
        good("two").replace("name: two", "name: Two Things"),
    );
    world.file("MEMORY.md", line("one") + &line("two"));
    world.mend(Code::NameNotSlug);
    assert_eq!(
        world.text("two-things.md"),
        good("two").replace("name: two", "name: two-things")
    );
    assert!(world.text("one.md").contains("[[two-things]]"));
    let lines = line("one") + &line("two").replace("two.md", "two-things.md");
    assert_eq!(world.text("MEMORY.md"), lines);
}

#[test]
fn a_copy_that_is_the_same_goes_to_the_trash() {
    let world = World::new();
    let copy = "one (conflicted copy).md";
    world.file(copy, good("one"));
    world.mend(Code::ConflictCopy);
    assert!(!world.folder().join(copy).exists());
}

#[test]
fn a_fix_is_made_of_what_is_there_then_and_not_where_the_fault_has_gone() {
    let world = World::index(line("one") + "- [Gone](gone.md)\n");
    let finding = world.the(Code::Dangling);
    // Another writer has put a line above and one below.
    world.file(
        "MEMORY.md",
        format!("# Index\n\n{}- [Gone](gone.md)\nx\n", line("one")),
    );
    world.apply(&world.store(), &finding);
    assert_eq!(
        world.text("MEMORY.md"),
        format!("# Index\n\n{}x\n", line("one"))
    );
    let path = world.folder();
    let disk = crate::base::disk::Disk::system();
    let folder = Folder {
        disk: &disk,
        path: &path,
        memories: &[],
    };
    let error = propose(&folder, &finding).unwrap_err();
    assert!(matches!(error, FixError::NotNow { .. }), "{error}");
    let entry = world.store().history().remove(0);
    assert_eq!(
        (entry.author, entry.title.as_str()),
        (Author::Fix, "fix dangling: MEMORY.md")
    );
    assert_eq!(entry.time, NOW.rfc3339());
}

#[test]
fn a_file_that_no_link_can_name_gets_no_line() {
    let world = World::new();
    world.file("a>b (c.md", good("a"));
    let path = world.folder();
    let disk = crate::base::disk::Disk::system();
    let folder = Folder {
        disk: &disk,
        path: &path,
        memories: &world.examine().memories,
    };
    let error = propose(&folder, &world.the(Code::Ghost)).unwrap_err();
    assert!(matches!(error, FixError::NotNow { .. }), "{error}");
}

/// Folders put together at random: every fix that is offered can be made or says why not, mends its
/// finding, and brings no error and no warning that was not there.
mod at_random {
    use std::collections::BTreeMap;

    use proptest::prelude::*;

    use crate::base::disk::Disk;
    use crate::health::fix::{FixError, propose};
    use crate::health::fixture::{NOW, World, shown};
    use crate::health::{Finding, Severity};
    use crate::memory::proposal::Folder;

    const FIELDS: [&str; 16] = [
        "name: one\n",
        "name: Two Things\n",
        "name: \"a: b\"\n",
        "description: What is to be known of it\n",
        "description: Note: what is to be known\n",
        "description: '中文: 说明，带引号' # c\n",
        "type: user\n",
        "type: Project  # why\n",
        "type: opinion\n",
        "metadata:\n  type: user\n",
        "metadata:\n\ttype: feedback\n\tx: y: z\n",
        "metadata: {a: b}\n",
        "tags:\n- a\n- b\n",
        "# a comment\n",
        "note: >\n  folded\n  text\n",
        "type: user\n",
    ];
    const OPENS: [&str; 4] = ["---\n", "<!-- c -->\n\n---\n", "\u{FEFF}---\n", "---\r\n"];
    const CLOSES: [&str; 4] = ["---\n", "--\n", "", "---"];
    const BODIES: [&str; 3] = ["\nThe fact. See [[two]].\n", "", "prose: with a colon\n"];
    const LINES: [&str; 16] = [
        "- [One](one.md) — what is known\n",
        "- [One](One.md) — known too\n",
        "- [Again](./one.md#x)\n",
        "- [Gone](gone.md) — was here\n",
        "- [Gone](gone.md), [Two](two.md) — shared\n",
        "- [Two](two.md) — two\n",
        "- [[two]] — as a wiki link\n",
        "- [[TWO]] — in capitals\n",
        "  goes on\n",
        "goes on lazily\n",
        "\n",
        "# Heading\n",
        "| one.md | it |\n",
        "| gone.md | was |\n",
        "See [it](two.md) before.\n",
        "- [Open](<one.md — x\r\n",
    ];

    fn memory() -> impl Strategy<Value = String> {
        let fields = prop::collection::vec(prop::sample::select(&FIELDS[..]), 0..6);
        let of = |parts: &'static [&'static str]| prop::sample::select(parts);
        (of(&OPENS), fields, of(&CLOSES), of(&BODIES)).prop_map(|(open, fields, close, body)| {
            format!("{open}{}{close}{body}", fields.concat())
        })
    }

    fn index() -> impl Strategy<Value = String> {
        prop::collection::vec(prop::sample::select(&LINES[..]), 0..10)
            .prop_map(|lines| lines.concat())
    }

    /// Errors and warnings by code and path, how many.
    fn bad(findings: &[Finding]) -> BTreeMap<String, usize> {
        let mut bad = BTreeMap::new();
        for one in findings.iter().filter(|one| one.severity != Severity::Note) {
            *bad.entry(format!("{} {}", one.code.word(), one.path))
                .or_default() += 1;
        }
        bad
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 64, failure_persistence: None, ..ProptestConfig::default() })]
        #[test]
        fn a_fix_mends_and_does_no_harm(one in memory(), two in memory(), index in index()) {
            let world = World::new();
            world.file("one.md", one).file("two.md", two).file("MEMORY.md", index);
            let store = world.store();
            let disk = Disk::system();
            for _ in 0..40 {
                let examined = world.examine();
                let before = bad(&examined.findings);
                let path = world.folder();
                let folder = Folder { disk: &disk, path: &path, memories: &examined.memories };
                let mut offered = examined.findings.iter().filter(|one| one.fix.is_some());
                let made = offered.find_map(|one| match propose(&folder, one) {
                    Ok(set) => Some((one, set)),
                    Err(FixError::NotNow { .. }) => None,
                    Err(error) => panic!("{}: {error}", shown(one)),
                });
                let Some((finding, set)) = made else { break };
                prop_assert!(!set.changes.is_empty(), "{}", shown(finding));
                store.apply(&set, NOW).unwrap();
                let left = world.findings();
                for (what, number) in bad(&left) {
                    // What could not be read before can be looked at now.
                    let unlocked = matches!(finding.code.word(), "frontmatter-broken" | "block-late" | "name-not-slug");
                    let had = before.get(&what).copied().unwrap_or_default();
                    prop_assert!(unlocked || number <= had, "{}: {what}", shown(finding));
                }
                let same = |findings: &[Finding]| {
                    let of = findings.iter().filter(|one| one.code == finding.code && one.path == finding.path);
                    of.count()
                };
                prop_assert!(same(&left) < same(&examined.findings), "{} is still there", shown(finding));
            }
        }
    }
}
