//! What the help of the program says beside its arguments.

pub const EXAMPLES: &str = "\
Examples:
  loci                              see all memories, full screen
  loci --demo                       the same on a made-up store, gone when you quit
  loci ls                           this project's memories
  loci ls --all --json              every project's, for a script
  loci show deploy-checklist        one memory: its fields and its text
  loci search --all snapshot        every project's memories that speak of it
  loci index                        the index, and where the model stops reading it
  loci rules                        the CLAUDE.md family, in the order in which the model gets it
  loci new no-force-push --type feedback --description 'Never force-push to main'
                                    a memory and its index line
  loci edit no-force-push --set type=project --dry-run
                                    what that would change, as a diff
  loci mv no-force-push pushing     a new name; its file, index line and links follow
  loci mv pushing --team            to the team's memories; --private takes it back
  loci cp pushing --to ~/work/api   into another project as well; mv --to moves it there
  loci promote pushing --to project  a line of the project's CLAUDE.md instead of a memory
  loci rm pushing                   to the trash, with its index line
  loci undo                         takes the last change back
  loci preview --observed           what the model is sent here, what it costs, what is missing
  loci preview --observed --after-compaction
                                    what of it is left after a compaction
  loci doctor --all                 what is wrong with the memories, in every project
  loci doctor --fix --dry-run       what could be mended without a guess, as diffs
  loci projects                     every project folder, and whether its path is still there
  loci relink ~/work/old ~/work/new a project that moved finds its memories again
  loci prune ~/work/gone            one whose path is gone, to the trash
  loci export shop.tgz              this project's memories in one file
  loci import shop.tgz --to ~/shop  into a project, here or on another machine
  loci memory off                   the client keeps no memory in this project
  loci key ~/work/shop              the folder name that a path is kept under
  loci usage                        what all sessions used and cost, by day and model
  loci sessions                     the sessions of this project, and how long they stay
  loci chat -p 'Any traps here?'    what the agent says, which has your rules and memories
  loci model test                   whether the model that is set up answers
  loci config check                 what is wrong in our own config.toml, keys.toml and themes
";

pub const EXIT_CODES: &str = "\
Exit codes:
  0    done
  1    doctor: an error or a warning is left; search: nothing was found
  2    wrong usage, no such memory or key, a write that was refused, no terminal
  3    something on the disk could not be read or written, a conflict with another writer;
       config check: faults
  4    no model is set up, or it can't be asked; the sentence says why
  101  a fault of ours

TERM, HUP, INT and QUIT put the terminal in order, then end the program by that signal.
Results go to stdout, words to stderr.
";

pub const ENVIRONMENT: &str = "\
Environment:
  CLAUDE_CONFIG_DIR  where the store lies
  LOCI_CONFIG_DIR    where our config.toml, keys.toml and themes lie
  LOCI_STATE_DIR     where our journal, history and trash lie, our log and our reports
  LOCI_TRASH         where the trash lies, if not there
  LOCI_LOG           keeps a log: 1, or a level (error, warn, info, debug, trace)
  ANTHROPIC_API_KEY, ANTHROPIC_AUTH_TOKEN, ANTHROPIC_BASE_URL
                     the model's key, or a token in its place, and where it is asked; [model] in
                     config.toml goes before them
  OPENAI_API_KEY, OPENAI_BASE_URL
                     the same where provider below [model] is openai
  HTTPS_PROXY, HTTP_PROXY, ALL_PROXY, NO_PROXY
                     the way to the model
  NO_COLOR           set and not empty: no colour
";
