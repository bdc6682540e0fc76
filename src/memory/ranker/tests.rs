use super::*;

const DAY: i64 = 24 * 60 * 60;

fn now() -> Moment {
    Moment::from_seconds(1_000 * DAY)
}

/// A memory by name, description, body and age in days.
type Made<'t> = (&'t str, &'t str, &'t str, i64);

/// Memories that have nothing to do with a test's own, so that words are rare.
const OTHERS: [Made<'_>; 8] = [
    (
        "invoice-rounding",
        "Invoices round half up per line",
        "See the ledger.",
        50,
    ),
    (
        "holiday-calendar",
        "Norwegian holidays move the cut-off",
        "Easter twice.",
        50,
    ),
    (
        "font-licence",
        "The font may not be embedded in apps",
        "Ask the foundry.",
        50,
    ),
    (
        "mail-greeting",
        "Mails begin without a salutation",
        "Short ones.",
        50,
    ),
    (
        "printer-labels",
        "Labels are printed on 62 mm rolls",
        "Brother QL.",
        50,
    ),
    (
        "warehouse-hours",
        "The warehouse picks from six to two",
        "Saturdays too.",
        50,
    ),
    (
        "gift-cards",
        "Gift cards expire after three years",
        "By law.",
        50,
    ),
    (
        "price-tags",
        "Prices are shown with tax",
        "For private buyers.",
        50,
    ),
];

fn index(own: &[Made<'_>]) -> Index {
    let mut builder = Builder::default();
    for (name, description, body, age) in own.iter().chain(&OTHERS) {
        builder.add(&Document {
            path: &format!("{name}.md"),
            name: Some(name),
            description: Some(description),
            kind: Some("project"),
            body: Cow::Borrowed(body),
            saved: Some(Moment::from_seconds((1_000 - age) * DAY)),
        });
    }
    builder.finish()
}

fn ask(index: &Index, question: &str, sure: bool) -> Vec<Hit> {
    let wanted = Wanted {
        most: 5,
        sure,
        now: now(),
    };
    index.rank(question, &wanted)
}

fn sure(own: &[Made<'_>], question: &str) -> Vec<usize> {
    let hits = ask(&index(own), question, true);
    hits.into_iter().map(|hit| hit.at).collect()
}

const MIGRATION: Made<'_> = (
    "db-migration-needs-backup",
    "Take a snapshot by hand before migrating production; CI makes none",
    "Run `scripts/snapshot_now.sh`, then `prisma migrate deploy`.",
    40,
);

#[test]
fn a_question_in_other_forms_of_the_words_finds_its_memory() {
    for question in [
        "how do we run production migrations?",
        "is a backup needed before I migrate the db",
        "prisma migrate deploy",
        "where is snapshotNow.sh for production",
        "migrtion of the produktion database backup",
    ] {
        assert_eq!(sure(&[MIGRATION], question), [0], "{question}");
    }
}

#[test]
fn nothing_is_an_answer() {
    for question in [
        "",
        "thanks, that looks good",
        "what is a closure?",
        "write a haiku about the sea",
        "谢谢，看起来没问题",
        "???",
    ] {
        assert!(sure(&[MIGRATION], question).is_empty(), "{question}");
    }
    assert!(ask(&Index::default(), "migration backup", true).is_empty());
    assert!(ask(&Builder::default().finish(), "migration", false).is_empty());
}

#[test]
fn a_memory_that_says_not_to_use_a_thing_is_wanted_when_it_is_asked_for() {
    let against = (
        "charting",
        "Do not use Highcharts; its licence does not allow it",
        "",
        300,
    );
    let hits = ask(&index(&[against]), "can I use Highcharts here?", true);
    assert_eq!((hits[0].at, hits[0].warns), (0, true), "{hits:?}");
    assert_eq!(hits[0].words[0], "Highcharts");
    // One word alone is not enough where it is only spoken of, and less than where it is turned down.
    let beside = (
        "dashboards",
        "Dashboards are drawn with Highcharts and d3",
        "",
        300,
    );
    assert!(sure(&[beside], "can I use Highcharts here?").is_empty());
    let both = ask(
        &index(&[beside, against]),
        "can I use Highcharts here?",
        false,
    );
    assert_eq!(both[0].at, 1);
}

#[test]
fn what_a_newer_memory_has_replaced_counts_less() {
    let old = (
        "queue-rabbit",
        "The job queue is RabbitMQ with a quorum of three",
        "Queue names end in .q",
        400,
    );
    let new = (
        "queue-nats",
        "The job queue moved to NATS; RabbitMQ is gone",
        "Queue subjects begin with jobs.",
        20,
    );
    let question = "what is the name of the RabbitMQ job queue";
    assert_eq!(sure(&[old, new], question)[0], 1);
    // An older one can't have replaced it.
    let (was_new, was_old) = ((new.0, new.1, new.2, 400), (old.0, old.1, old.2, 20));
    assert_eq!(sure(&[was_old, was_new], question)[0], 0);
}

#[test]
fn a_newer_memory_that_turns_down_one_word_has_not_replaced_what_shares_it() {
    let freeze = ("freeze", "No production deploys on Fridays", "body", 1);
    let question = "how do we run production migrations?";
    assert_eq!(ask(&index(&[MIGRATION, freeze]), question, false)[0].at, 0);
}

#[test]
fn of_near_twins_the_better_one_is_picked() {
    let twin = ("db-migration-backup", MIGRATION.1, MIGRATION.2, 400);
    assert_eq!(
        sure(&[MIGRATION, twin], "backup before a production migration"),
        [0]
    );
    let all = ask(
        &index(&[MIGRATION, twin]),
        "backup before a production migration",
        false,
    );
    assert_eq!(all.len(), 2);
}

#[test]
fn of_two_that_fit_alike_the_newer_comes_first() {
    let at = |name, age| (name, "Deploys go out on Thursdays", "", age);
    let index = index(&[at("deploys-a", 300), at("deploys-b", 1)]);
    let hits = ask(&index, "which Thursdays do deploys go out", false);
    assert_eq!(hits.iter().map(|hit| hit.at).collect::<Vec<_>>(), [1, 0]);
    assert!(hits[0].score > hits[1].score);
}

#[test]
fn german_and_chinese_are_found_too() {
    let german = (
        "datensicherung",
        "Sicherungen mit restic, Aufbewahrung 14 Tage",
        "",
        10,
    );
    let chinese = ("backfill", "补数流程：先停下游，按天串行", "", 10);
    assert_eq!(
        sure(
            &[german, chinese],
            "wie lange werden Sicherungen aufbewahrt?"
        ),
        [0]
    );
    assert_eq!(sure(&[german, chinese], "按天串行补数吗"), [1]);
}

#[test]
fn what_is_cut_from_a_memory_is_its_front_matter() {
    let memory = |bytes: &[u8]| {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("a.md"), bytes).unwrap();
        let disk = crate::base::disk::Disk::system();
        let listed = crate::memory::scan::list(&disk, folder.path()).memories;
        crate::memory::scan::heads(&disk, folder.path(), listed).remove(0)
    };
    let bytes = b"\xEF\xBB\xBF---\nname: n\ntype: user\n---\nbody \xff\n";
    let memory = memory(bytes);
    let document = Document::of(&memory, bytes, None);
    assert_eq!((document.name, document.kind), (Some("n"), Some("user")));
    assert_eq!(document.body, "body \u{FFFD}\n");
}

#[test]
fn a_question_behind_a_long_paste_is_still_heard() {
    let paste: String = (0..5_000).map(|at| format!("frame{at} ")).collect();
    let question = format!("{paste}\nis a backup needed before I migrate the production db?");
    let hits = ask(&index(&[MIGRATION]), &question, false);
    assert_eq!(hits[0].at, 0);
}
