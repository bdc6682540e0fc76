//! The codes of findings, closed: the word of each, how loud it is unless the configuration says
//! otherwise, and what it means.

/// How much a finding matters, the worst first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// A memory is lost to the model, or bytes can't be trusted.
    Error,
    /// A memory is found or chosen worse than it could be.
    Warning,
    /// Worth a look.
    Note,
}

impl Severity {
    pub const ALL: [Self; 3] = [Self::Error, Self::Warning, Self::Note];

    /// Its word on the command line.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Error => "error",
            Self::Warning => "warning",
            Self::Note => "note",
        }
    }
}

macro_rules! codes {
    ($($name:ident $word:literal $severity:ident $what:literal)*) => {
        /// What is found. The order is that of the families.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Code {
            $(#[doc = $what] $name,)*
        }

        impl Code {
            /// All of them, in their order.
            pub const ALL: [Self; [$($word),*].len()] = [$(Self::$name),*];

            /// Its word: on the command line, in JSON, in the configuration.
            #[must_use]
            pub fn word(self) -> &'static str {
                match self {
                    $(Self::$name => $word,)*
                }
            }

            /// How much it matters, unless the configuration or the case at hand says otherwise.
            #[must_use]
            pub fn severity(self) -> Severity {
                match self {
                    $(Self::$name => Severity::$severity,)*
                }
            }

            /// What it means, for lists of codes.
            #[must_use]
            pub fn what(self) -> &'static str {
                match self {
                    $(Self::$name => $what,)*
                }
            }
        }
    };
}

codes! {
    Dangling "dangling" Error "an index line whose file is gone"
    Ghost "ghost" Warning "a memory without an index line (in the first minute a note: it may be half written)"
    DuplicatePointer "duplicate-pointer" Warning "a second index line for one file"
    CasePointer "case-pointer" Warning "an index line that leads to its file only by ignoring case"
    IndexLines "index-lines" Error "an index of over 200 lines: what is below is not loaded"
    IndexSize "index-size" Error "an index of over 25,000 UTF-16 units: what is below is not loaded"
    IndexLongLine "index-long-line" Note "an entry of over 150 characters (over 200: a warning)"
    IndexContent "index-content" Warning "an index that holds content, or a link that is not closed, instead of pointers"
    IndexBuried "index-buried" Note "a memory that the index names only inside a sentence"
    IndexMultiline "index-multiline" Note "an entry over several lines"
    IndexSectionEmpty "index-section-empty" Note "a heading with nothing under it"
    HookRepeats "hook-repeats" Note "a hook that only repeats the title or the file's name"
    IndexMissing "index-missing" Note "memories without any index"
    FrontmatterMissing "frontmatter-missing" Warning "a memory without front matter"
    FrontmatterBroken "frontmatter-broken" Error "front matter that can't be trusted (an unquoted colon: a warning)"
    FieldMissing "field-missing" Warning "no name, no description or no type"
    TypeUnknown "type-unknown" Warning "a type that is none of the four"
    NameDuplicate "name-duplicate" Warning "a name that another memory of the folder bears"
    NameFileMismatch "name-file-mismatch" Note "a name unlike that of the file"
    NameNotSlug "name-not-slug" Note "a name that the reference client would change or blank at its next write"
    LinkBroken "link-broken" Warning "a `[[name]]` that no memory bears"
    Stale "stale" Note "older than 30 days (of the type project: 14)"
    RelativeDate "relative-date" Note "\"last week\", \"yesterday\", \"上周\": can't be read in three months"
    TooLarge "too-large" Warning "over 200 lines or 4,096 bytes: cut when it is recalled"
    BodyEmpty "body-empty" Warning "nothing worth recalling in the body"
    NotText "not-text" Error "bytes that are no UTF-8"
    InvisibleText "invisible-text" Note "characters that a reader can't see: bidirectional, zero-width, tags, controls"
    ConflictCopy "conflict-copy" Warning "a copy that a synchroniser left"
    Secret "secret" Error "what looks like a credential"
    UnsafePath "unsafe-path" Error "a link that leaves the memory folder, a loop, a device, something unreadable"
    BlockLate "block-late" Note "a block like front matter that is not first"
    FieldBelow30 "field-below-30" Note "a field that starts after line 30 of its file, where no scan looks"
    ManifestCut "manifest-cut" Note "not among the newest 200, so no selector sees it"
    TypePlace "type-place" Note "a type at the top, which the reference client moves under `metadata`"
    DescriptionWeak "description-weak" Note "a description under 3 words (CJK: 6 characters), over 200 characters, or only the name again"
    HookDiffers "hook-differs" Note "an index hook that shares no word with the description"
    NeverRead "never-read" Note "no session has read it in 60 days, as far as transcripts tell"
    OriginSwept "origin-swept" Note "the session that made the memory is gone: its source can't be checked"
    Expiring "expiring" Note "transcripts that the clean-up takes within 7 days: a memory's origin, the last that prove a path, or all of a project without a memory"
    Orphan "orphan" Warning "a project folder whose path is gone"
    Moved "moved" Warning "a project folder whose path is gone, and a likely new home is known"
    Ambiguous "ambiguous" Warning "a project folder that more than one path shares"
    NestedProject "nested-project" Note "a project folder inside a project folder, where no session looks"
    KeyCase "key-case" Note "two project folders that differ only in case"
    GuestSessions "guest-sessions" Note "sessions in a project folder that ran in another one's path"
    Misplaced "misplaced" Warning "a project folder that is not that of its path: no session looks there"
    RuleLarge "rule-large" Note "a rules file of over 40,000 characters: each session pays for it"
    RuleLong "rule-long" Note "a rules file of over 200 lines: a model follows long ones worse"
    RuleLost "rule-lost" Warning "must, never or always in a rules file that a compaction loses"
    RuleUnenforced "rule-unenforced" Note "a wish in capitals that only a hook can hold"
    RuleForeign "rule-foreign" Note "a rules file of a folder above the project"
    RuleUnloaded "rule-unloaded" Note "a rules file that nothing loads"
    ImportMissing "import-missing" Warning "an import of what is not there or no text (one that only looks like an import: a note)"
    ImportCycle "import-cycle" Warning "an import that leads back to the file that it is in"
    ImportDeep "import-deep" Warning "an import more than four levels down: it is not loaded"
    ImportOutside "import-outside" Note "an import that leaves the project, which nobody has approved"
    ImportTwice "import-twice" Note "an import of a file that is loaded already"
    GlobInvalid "glob-invalid" Warning "`paths:` that can't be read as they are meant (`globs:`, which are not known: a note)"
    PathsLimits "paths-limits" Note "conditional rules with over 1,000 patterns or 4 MiB of them"
}

impl Code {
    /// What only sessions tell of.
    pub const BY_SESSIONS: [Self; 3] = [Self::NeverRead, Self::OriginSwept, Self::Expiring];

    /// What a project folder is found to be: told by where its sessions ran.
    pub const BY_FOLDER: [Self; 7] = [
        Self::Orphan,
        Self::Moved,
        Self::Ambiguous,
        Self::NestedProject,
        Self::KeyCase,
        Self::GuestSessions,
        Self::Misplaced,
    ];

    /// Whether it is told after what the memories themselves tell, since more has to be read for it.
    #[must_use]
    pub fn is_told_later(self) -> bool {
        Self::BY_SESSIONS.contains(&self) || Self::BY_FOLDER.contains(&self)
    }

    /// The code of a word.
    #[must_use]
    pub fn read(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|code| code.word() == word)
    }
}
