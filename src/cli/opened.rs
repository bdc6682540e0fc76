//! The store that the arguments and the environment point at, opened. The only place that asks the
//! environment, the clock and the current directory; everything below gets them as values.

use std::collections::BTreeMap;
use std::env;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use crate::agents::claude::{Claude, Setup};
use crate::app::action::Keymap;
use crate::base::disk::Disk;
use crate::base::display;
use crate::base::fault::Faults;
use crate::base::time::Moment;
use crate::cli::args::Global;
use crate::cli::demo_folder::DemoFolder;
use crate::cli::failure::{Failure, say};
use crate::cli::{demo, log};
use crate::config::Config;
use crate::config::places::Places;
use crate::health::{Code, Rules};
use crate::llm::key::Source;
use crate::llm::provider::Provider;
use crate::safety::secret::Allowed;
use crate::store::Store;
use crate::transcript::digests::{Asked, Digests, digests};
use crate::transcript::found::sessions_in;

/// An opened store and what is around it.
pub struct Opened {
    pub store: Claude,
    /// The one writer of its files, with our journal, history and trash.
    pub writer: Store,
    pub disk: Disk,
    pub home: PathBuf,
    /// Where relative paths begin: `--cwd`, as given.
    pub cwd: PathBuf,
    /// Our own folders. None need exist.
    pub places: Places,
    /// What our configuration says.
    pub config: Config,
    /// The environment.
    pub vars: BTreeMap<String, String>,
    /// The keys that a person has chosen, and the rest of the table's.
    pub keymap: Keymap,
    /// Where a fault of ours is reported: the demo's own folder would take the report along.
    pub reports: PathBuf,
    /// `--dry-run`: nothing is written, not even what is kept of transcripts.
    pub is_dry: bool,
    /// The folder of the demo; it goes with this value.
    pub demo: Option<DemoFolder>,
}

impl Opened {
    /// Opens the store to read, and says on stderr what moves it or switches it off. Work that a
    /// crash left unfinished is named, not touched.
    pub fn open(global: &Global) -> Result<Self, Failure> {
        let opened = Self::quietly(global)?;
        opened.say_notices();
        Ok(opened.unfinished())
    }

    /// Opens the store to write: what a crash left unfinished is finished first, and said. A dry run
    /// only reads.
    pub fn to_write(global: &Global) -> Result<Self, Failure> {
        if let Some(failure) = read_only(global) {
            return Err(failure);
        }
        if global.dry_run {
            return Self::open(global);
        }
        let opened = Self::quietly(global)?;
        opened.say_notices();
        opened.recovered()
    }

    /// [`Opened::to_write`] without a word of who has switched memory off: the command that says it in
    /// its answer opens so.
    pub fn to_switch(global: &Global, writes: bool) -> Result<Self, Failure> {
        if writes && let Some(failure) = read_only(global) {
            return Err(failure);
        }
        let opened = Self::quietly(global)?;
        let off = opened.store.switched_off();
        let notices = opened.store.notices().into_iter();
        let unsaid = |notice: &String| off.as_ref() != Some(notice);
        notices
            .filter(unsaid)
            .for_each(|notice| say(&display::line(&notice)));
        opened.say_faults();
        match writes && !global.dry_run {
            true => opened.recovered(),
            false => Ok(opened.unfinished()),
        }
    }

    /// [`Opened::open`] without a word of what keeps the index from being loaded: a preview says it
    /// among its notes.
    pub fn to_preview(global: &Global) -> Result<Self, Failure> {
        let opened = Self::quietly(global)?;
        let off = opened.store.surroundings(opened.store.cwd()).index_off;
        let notices = opened.store.notices().into_iter();
        notices
            .filter(|notice| off.as_ref() != Some(notice))
            .for_each(|notice| say(&display::line(&notice)));
        opened.say_faults();
        Ok(opened.unfinished())
    }

    /// Finishes what a crash left unfinished, and says it.
    fn recovered(self) -> Result<Self, Failure> {
        for notice in self.writer.recover()?.notices {
            say(&display::line(&notice));
        }
        Ok(self)
    }

    /// Names what a crash left unfinished.
    fn unfinished(self) -> Self {
        for time in self.writer.unfinished() {
            say(&format!(
                "an unfinished write of {}: run `loci undo` or any command that writes",
                display::line(&time)
            ));
        }
        self
    }

    fn say_notices(&self) {
        for notice in self.store.notices() {
            say(&display::line(&notice));
        }
        self.say_faults();
    }

    fn say_faults(&self) {
        for fault in &self.config.faults {
            say(&display::line(&fault.to_string()));
        }
    }

    /// Opens the store without a word: the screen says it in its own way.
    pub fn quietly(global: &Global) -> Result<Self, Failure> {
        let now = global
            .now
            .map_or_else(|| Moment::from(SystemTime::now()), Moment::from_seconds);
        let mut around = Around::found()?;
        let mut config_home = global.config_home.clone();
        let reports = Places::from(&around.vars, &around.home)
            .state
            .join("reports");
        let demo = match global.demo {
            true => {
                let (folder, made) = seed_demo(now)?;
                around.move_into(made.home, made.cwd);
                config_home = config_home.or(Some(made.config_home));
                Some(folder)
            }
            false => None,
        };
        let Around { vars, home, cwd } = around;
        let disk = open_disk(global.sysroot.as_deref())?;
        // Without a directory of our own a whole path says where we are.
        let whole = global.cwd.as_ref().filter(|path| path.is_absolute());
        let from = cwd.or_else(|failure| whole.cloned().ok_or(failure))?;
        let cwd = match &global.cwd {
            Some(path) => from.join(path),
            None => from.clone(),
        };
        if !disk.is_folder(&cwd) {
            let message = format!("{} is no folder: pass one with --cwd", cwd.display());
            return Err(Failure::usage("not-found", message).at(&cwd));
        }
        let places = Places::from(&vars, &home).below(&from);
        log::start(global.log, &vars, &places);
        let (config, keymap) = read_config(&disk, &places.config);
        let trash = vars
            .get("LOCI_TRASH")
            .filter(|path| !path.is_empty())
            .map(|path| disk.host(&from.join(path)));
        let faults = Faults::from_vars(&vars);
        let store = Claude::open(Setup {
            disk: disk.clone(),
            vars: vars.clone(),
            home: home.clone(),
            config_home: config_home.map(|path| from.join(path)),
            cwd: cwd.clone(),
            now,
        })
        .map_err(|message| Failure::disk("unreadable", message))?
        .letting_pass(Allowed::of(&config.settings.secrets));
        tracing::info!(home = ?store.home(), cwd = ?store.cwd(), "store opened");
        let config_home = disk.resolve_existing(store.home());
        let state = disk.host(&places.state);
        Ok(Self {
            writer: Store::new(&state, &config_home, trash, faults).keeping(config.settings.keep),
            store,
            disk,
            home,
            cwd,
            places,
            config,
            vars,
            keymap,
            reports,
            is_dry: global.dry_run,
            demo,
        })
    }

    /// What the transcripts of these projects say (`None`: of all). What was read of them is kept in our
    /// state, but where nothing is written.
    pub fn digests(&self, keys: Option<&[String]>) -> Digests {
        let read = digests(&Asked {
            disk: &self.disk,
            projects: &self.store.home().join("projects"),
            keep: (!self.disk.is_sysroot()).then_some(&self.writer),
            is_dry: self.is_dry,
            keys,
            keep_days: self.store.transcript_days(),
            now: self.store.now(),
            course: None,
        });
        for notice in &read.notices {
            say(&format!("loci: {}", display::line(notice)));
        }
        read
    }

    /// The same, and what could not be listed or read is said.
    ///
    /// # Errors
    /// A folder that was asked for can't be listed at all.
    pub fn digests_or_refuse(&self, keys: Option<&[String]>) -> Result<Digests, Failure> {
        let mut read = self.digests(keys);
        if read.is_blind && !read.faults.is_empty() {
            return Err(Failure::disk("unreadable", read.faults.swap_remove(0)));
        }
        for fault in &read.faults {
            say(&format!("loci: {}", display::line(fault)));
        }
        if let Some(first) = read.left_out.first() {
            let more = match read.left_out.len() - 1 {
                0 => String::new(),
                more => format!(" and {more} more"),
            };
            let first = first.to_string_lossy();
            say(&format!(
                "left out: {}{more}: a transcript is a plain file, no link, pipe or folder",
                display::line(&first)
            ));
        }
        Ok(read)
    }

    /// The sessions that no clean-up of the client's takes, those of our own chats and those that were rescued:
    /// their ids.
    pub fn own_sessions(&self) -> Vec<String> {
        let folders = [
            self.writer.own_file("sessions"),
            self.writer.rescued_folder(),
        ];
        sessions_in(&Disk::system(), &folders)
    }

    /// Refuses a file among our own: what lies there is read as ours.
    ///
    /// # Errors
    /// One that lies in the folder of our state.
    pub fn refuse_own_place(&self, path: &Path) -> Result<(), Failure> {
        let state = self.disk.host(&self.places.state);
        if !Disk::system().lies_within(path, &state) {
            return Ok(());
        }
        let message = format!(
            "{} lies in the folder of loci's own state: name a file elsewhere",
            path.display()
        );
        Err(Failure::usage("refused", message).at(path))
    }

    /// Who is asked as a model.
    ///
    /// # Errors
    /// Nobody is set up, or the address is of no use.
    pub fn provider(&self) -> Result<Provider, Failure> {
        let mut provider = Provider::from(&self.config.settings.model, &self.vars, &self.home)?;
        if let Source::File(path) = &mut provider.key {
            *path = self.disk.host(path);
        }
        Ok(provider)
    }

    /// The measures of health that our configuration gives.
    pub fn rules(&self) -> Rules {
        let settings = &self.config.settings;
        let mut rules = Rules::from(&settings.health);
        rules.allowed = Allowed::of(&settings.secrets);
        rules
    }
}

/// Why nothing is written: another root is looked at.
fn read_only(global: &Global) -> Option<Failure> {
    let root = global.sysroot.as_ref()?;
    let message = "--sysroot is read-only: leave it away to write";
    Some(Failure::usage("sysroot", message).at(root))
}

/// Our configuration, and the keys that it makes of the table's.
fn read_config(disk: &Disk, folder: &Path) -> (Config, Keymap) {
    let mut config = Config::read(disk, folder, |code| Code::read(code).is_some());
    let (keymap, faults) = Keymap::with(&config.keys);
    config.faults.extend(faults);
    (config, keymap)
}

/// What the process finds around it.
struct Around {
    vars: BTreeMap<String, String>,
    home: PathBuf,
    cwd: Result<PathBuf, Failure>,
}

impl Around {
    fn found() -> Result<Self, Failure> {
        let vars = env::vars_os()
            .map(|(name, value)| (lossy(name), lossy(value)))
            .collect();
        let home = env::home_dir()
            .filter(|home| !home.as_os_str().is_empty())
            .ok_or_else(|| Failure::usage("usage", "no home folder is known: set HOME"))?;
        let cwd = env::current_dir().map_err(|error| {
            let message = format!(
                "the current directory can't be read ({error}): pass a whole path with --cwd"
            );
            Failure::usage("not-found", message)
        });
        Ok(Self { vars, home, cwd })
    }

    /// Lives in the demo from here on: nothing of the person's own settings reaches it.
    fn move_into(&mut self, home: PathBuf, cwd: PathBuf) {
        let own = ["CLAUDE_", "LOCI_", "XDG_"];
        self.vars
            .retain(|name, _| name == "LOCI_LOG" || !own.iter().any(|own| name.starts_with(own)));
        self.vars
            .insert("HOME".to_string(), home.to_string_lossy().into_owned());
        self.home = home;
        self.cwd = Ok(cwd);
    }
}

fn lossy(text: std::ffi::OsString) -> String {
    text.into_string()
        .unwrap_or_else(|text| text.to_string_lossy().into_owned())
}

fn seed_demo(now: Moment) -> Result<(DemoFolder, demo::Demo), Failure> {
    let failed = |error: std::io::Error| {
        let message = format!(
            "the demo could not be made in {} ({error}): free some space or set TMPDIR",
            env::temp_dir().display()
        );
        Failure::disk("demo", message).at(&env::temp_dir())
    };
    let folder = DemoFolder::make().map_err(failed)?;
    let made = demo::seed(folder.path(), now).map_err(failed)?;
    Ok((folder, made))
}

fn open_disk(sysroot: Option<&Path>) -> Result<Disk, Failure> {
    match sysroot {
        None => Ok(Disk::system()),
        Some(dir) => Disk::below(dir).map_err(|error| {
            let message = format!("--sysroot {}: {error}", dir.display());
            Failure::usage("not-found", message).at(dir)
        }),
    }
}
