//! Every limit, named, with its unit (spec 1.7).

/// Lines of an index that are loaded.
pub const INDEX_LINES: usize = 200;

/// UTF-16 code units of an index that are loaded. People say "25 KB"; it is neither bytes nor 1,024s.
pub const INDEX_UNITS: usize = 25_000;
/// Memories of a folder from which on its index alone will soon be no way to choose: at some hundreds
/// descriptions stop working.
pub const MANY_MEMORIES: usize = 150;

/// Characters of an index line that are advised, and those that are too many by any measure.
pub const INDEX_LINE_CHARS: usize = 150;
pub const INDEX_LINE_CHARS_MOST: usize = 200;

/// Memories of a folder that the selector is told of, the newest first.
pub const MANIFEST_MEMORIES: usize = 200;

/// Lines and bytes of a memory that are recalled; the rest is cut off.
pub const RECALL_LINES: usize = 200;
pub const RECALL_BYTES: usize = 4_096;

/// Memories that are recalled in one turn.
pub const RECALLED_MEMORIES: usize = 5;
/// Bytes that are recalled in one session.
pub const RECALLED_BYTES: usize = 60 * 1024;
/// Tokens of the selector's answer.
pub const SELECTOR_TOKENS: u32 = 256;

/// Idle seconds after which old tool results are cleared, and how many of the newest stay.
pub const CLEAR_IDLE_SECONDS: i64 = 60 * 60;
pub const CLEAR_KEEPS: usize = 5;

/// Turns of a session over which the price of a standing part is told.
pub const PRICED_TURNS: usize = 40;
/// Turns of a session at most: more is no session.
pub const MOST_TURNS: usize = 100_000;

/// Days and bytes that the ledger of what was sent is kept.
pub const LEDGER_DAYS: u32 = 30;
pub const LEDGER_BYTES: u64 = 200 * 1024 * 1024;

/// Characters of a description beyond which it is called weak.
pub const DESCRIPTION_CHARS: usize = 200;

/// Lines at the head of a memory file that are read for lists.
pub const FRONT_MATTER_LINES: usize = 30;

/// Bytes at the head of a memory file that are read for lists: more than 30 lines of front matter take.
pub const HEAD_BYTES: usize = 16 * 1024;

/// Files of sub-agents that are looked at in one folder.
pub const AGENT_FILES: usize = 500;

/// Bytes of a file that is shown whole; a larger one is refused with a sentence.
pub const PAGE_BYTES: u64 = 16 * 1024 * 1024;

/// Bytes of a settings file of the client's; a larger one is left out with a sentence.
pub const SETTINGS_BYTES: u64 = 1024 * 1024;

/// Bytes read at the head of a transcript to find where its session ran.
pub const TRANSCRIPT_HEAD_BYTES: usize = 16 * 1024;

/// Bytes read at each end of a transcript to find where its session began and ended, and how many of
/// them at once.
pub const TRANSCRIPT_END_BYTES: usize = 8 * 1024;
pub const TRANSCRIPT_END_STEP: usize = 4 * 1024;

/// Bytes of a transcript that are read at once; bytes of a line beyond which its long texts are cut, and
/// of each such text those that are held; bytes of one text that are read to be shown.
pub const READ_BYTES: usize = 256 * 1024;
pub const LINE_BYTES: usize = 1024 * 1024;
pub const TEXT_HEAD_BYTES: usize = 4 * 1024;
pub const TEXT_BYTES: usize = 4 * 1024 * 1024;

/// Characters of a session's first prompt that are kept as its title.
pub const PROMPT_CHARS: usize = 300;

/// Bytes at the beginning of a transcript and before the place where it was read to that tell whether it
/// is the same still; bytes of the digests of one project that are read again at all.
pub const MARK_BYTES: u64 = 4 * 1024;
pub const DIGEST_BYTES: u64 = 512 * 1024 * 1024;

/// Days without a reading after which a memory is called never read, and days before the clean-up in which
/// a transcript is called expiring.
pub const NEVER_READ_DAYS: i64 = 60;
pub const EXPIRING_DAYS: i64 = 7;

/// Bytes of what is kept of transcripts that are gone, and of it that are read at all; days that their
/// touches are kept.
pub const SWEPT_BYTES: u64 = 64 * 1024 * 1024;
pub const SWEPT_READ_BYTES: u64 = 512 * 1024 * 1024;
pub const TOUCH_DAYS: i64 = 400;
/// Bytes of a text of a session that are held to be read on the screen; the rest is read when it is
/// unfolded. No less than a long line holds of it.
pub const PIECE_BYTES: usize = 32 * 1024;

/// What a page of a session holds at least, if there is as much: bytes, and messages.
pub const SESSION_PAGE_BYTES: u64 = 256 * 1024;
pub const SESSION_PAGE_MESSAGES: usize = 40;

/// Bytes before a boundary in which the line is looked for that it says it follows.
pub const JOIN_BYTES: u64 = 8 * 1024 * 1024;

/// Bytes of a file of the client's that is rewritten at all.
pub const REWRITE_BYTES: u64 = 50 * 1024 * 1024;

/// Days that the reference client keeps transcripts, unless its settings say otherwise.
pub const TRANSCRIPT_DAYS: i64 = 30;

/// Days of it that are counted with at most, however many a setting says: a hundred years.
pub const MOST_TRANSCRIPT_DAYS: i64 = 36_500;

/// Seconds since a transcript was written to within which its session may still be at work.
pub const SESSION_SECONDS: i64 = 5 * 60;

/// Bytes at the end of the client's input history, and of its `.claude.json`, that are looked at for
/// the paths of projects.
pub const HISTORY_BYTES: u64 = 32 * 1024 * 1024;
pub const CLAUDE_JSON_BYTES: u64 = 32 * 1024 * 1024;

/// Folders that are listed on the way down to the path of one key.
pub const WALK_FOLDERS: usize = 2_000;

/// The search for a project that moved: folders listed in all, how deep below each folder that it
/// begins from, and for how long, in milliseconds.
pub const SEEK_FOLDERS: usize = 20_000;
pub const SEEK_DEPTH: usize = 3;
pub const SEEK_MILLISECONDS: u64 = 2_000;

/// File names kept of a live project, so that it can be known again elsewhere.
pub const IDENTITY_NAMES: usize = 50;

/// Bytes of `identity.json`; a larger one is none of ours.
pub const IDENTITY_BYTES: u64 = 16 * 1024 * 1024;

/// What an archive of projects may hold: bytes in all, of one file and of its manifest, and entries. What
/// an import reads is in memory at once.
pub const ARCHIVE_BYTES: u64 = 512 * 1024 * 1024;
pub const ARCHIVE_FILE_BYTES: u64 = 64 * 1024 * 1024;
pub const ARCHIVE_MANIFEST_BYTES: u64 = 32 * 1024 * 1024;
pub const ARCHIVE_FILES: usize = 50_000;

/// Transcripts of a project that are looked at for its path before it is called unknown.
pub const TRANSCRIPTS_TRIED: usize = 8;

/// Folders below a memory folder that are entered, counted from it.
pub const FOLDER_DEPTH: usize = 16;

/// Bytes of our own configuration file; a larger one is left out with a sentence.
pub const CONFIG_BYTES: u64 = 1024 * 1024;

/// Findings of one code that are told of one folder; the last of them says how many more there are.
pub const FINDINGS_A_CODE: usize = 1_000;

/// Days that the trash and the history are kept.
pub const KEEP_DAYS: u32 = 90;

/// Bytes that the trash, and the blobs of the history, may take.
pub const KEEP_BYTES: u64 = 1024 * 1024 * 1024;

/// Bytes of a memory file that a search looks at: what lies beyond is not found.
pub const SEARCH_BYTES: usize = 1024 * 1024;

/// Bytes of memories that an open finder holds, so that the next key need not read them again.
pub const FINDER_BYTES: usize = 48 * 1024 * 1024;

/// Bytes of an instruction file; a larger one is left out with a sentence (the client cuts nothing).
pub const INSTRUCTION_BYTES: u64 = 16 * 1024 * 1024;

/// Levels below a root file that imports are followed.
pub const IMPORT_LEVELS: usize = 4;

/// References of one file that are followed; a text with more of them is no instruction.
pub const IMPORTS_A_FILE: usize = 10_000;

/// Characters and lines of an instruction file beyond which it is called large and long.
pub const RULE_CHARS: usize = 40_000;
pub const RULE_LINES: usize = 200;

/// Folders below a rules folder that are entered; the client knows no bound.
pub const RULE_DEPTH: usize = 256;

/// Folders below a working directory that are looked at for instructions.
pub const RULE_FOLDERS: usize = 2_000;

/// What the patterns of all conditional rules may come to: how many, braces expanded, and bytes.
pub const PATH_PATTERNS: usize = 1_000;
pub const PATH_PATTERN_BYTES: usize = 4 * 1024 * 1024;

/// Failures in a row after which an engine stops asking the model.
pub const BREAKER_FAILURES: u32 = 3;

/// Tokens of an answer in our chat at most; and what is asked of a model whose window is not known.
pub const ANSWER_TOKENS: u32 = 16_000;
pub const SMALL_ANSWER_TOKENS: u32 = 4_096;

/// Tokens of a window (spec 6.3): those kept free for a summary; below these the buffer before a compaction,
/// the distance of the warning before that, and the buffer before nothing more is sent. They suit windows of
/// so many tokens and more; below, each is smaller in proportion.
pub const SUMMARY_RESERVE: usize = 20_000;
pub const COMPACT_BUFFER: usize = 13_000;
pub const WARNING_BUFFER: usize = 20_000;
pub const BLOCK_BUFFER: usize = 3_000;
pub const FULL_WINDOW: usize = 100_000;

/// Bytes of the transcript of a session of ours that is taken up again.
pub const SESSION_FILE_BYTES: u64 = 512 * 1024 * 1024;

/// Requests in one turn of our chat, after which it ends with what there is.
pub const TURN_REQUESTS: usize = 50;

/// What a tool of the model's gives at most: lines of a file, bytes of a result, characters of a line,
/// files that are looked at, hits, names of a folder; and bytes of a file that is searched.
pub const READ_LINES: usize = 2_000;
pub const RESULT_BYTES: usize = 100_000;
pub const TOOL_LINE_CHARS: usize = 2_000;
pub const TOOL_FILES: usize = 50_000;
pub const TOOL_HITS: usize = 200;
pub const LISTED_NAMES: usize = 500;
pub const GREP_BYTES: u64 = 4 * 1024 * 1024;
