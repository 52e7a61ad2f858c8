//! The policy value and its builder methods.

use std::collections::BTreeSet;
use std::fmt;
use std::net::{IpAddr, SocketAddr};
use std::path::{Path, PathBuf};
use std::sync::{Arc, LazyLock, OnceLock};
use std::time::Duration;

use tool_core::Context;

#[cfg(all(feature = "command_line", unix))]
use super::command::{Commands, Sandbox};
#[cfg(feature = "files")]
use super::files::Folder;
use super::limits::Limits;
#[cfg(feature = "files")]
use super::roots::FileSettings;
#[cfg(feature = "__worker")]
use super::worker::Worker;

/// What the web tools may connect to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Network {
    /// Only addresses that are reachable from everywhere on the internet.
    #[default]
    Public,
    /// Also loopback, private and link-local addresses.
    ///
    /// Cloud metadata services (such as `169.254.169.254`) stay refused: they hand out the machine's
    /// credentials to whoever asks.
    PrivateAllowed,
    /// Nothing at all.
    Off,
}

/// Whether the file tools may write files that steer other programs.
///
/// These are `.git`, `.bashrc`, `.ssh`, `.mcp.json`, `.claude`, `AGENTS.md` and the like: whoever writes them decides
/// what a shell, an editor, a version control system or the next agent does later, outside of this policy.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum ControlFiles {
    /// Writing them is refused.
    #[default]
    Refused,
    /// They are written like any other file.
    Allowed,
}

/// What the built-in tools may reach.
///
/// The default is safe for arguments written by a stranger: public internet addresses only, files below the
/// current working directory only, bounded sizes and times. Cloning is cheap, and clones share one pool of
/// connections and one open directory.
///
/// # Examples
///
/// ```
/// use std::time::Duration;
/// use tool_builtins::{Network, Policy};
///
/// let policy = Policy::new()
///     .root("/srv/agent")
///     .network(Network::PrivateAllowed)
///     .max_download(1024 * 1024)
///     .total_timeout(Duration::from_secs(10));
/// assert_eq!(policy.limits().redirects, 10);
/// ```
#[derive(Clone)]
#[must_use]
pub struct Policy {
    root: Option<PathBuf>,
    control_files: ControlFiles,
    network: Network,
    hosts: BTreeSet<String>,
    addresses: BTreeSet<SocketAddr>,
    names: Vec<(String, IpAddr)>,
    pub(super) limits: Limits,
    #[cfg(feature = "__worker")]
    pub(super) worker: Worker,
    user_agent: String,
    #[cfg(feature = "files")]
    pub(super) files: FileSettings,
    #[cfg(all(feature = "command_line", unix))]
    commands: Commands,
    #[cfg(all(feature = "command_line", unix))]
    sandbox: Sandbox,
    shared: Arc<Shared>,
}

/// What is opened once and used by every call. A changed setting starts afresh.
#[derive(Default)]
pub(super) struct Shared {
    #[cfg(feature = "web")]
    pub(super) client: OnceLock<reqwest::Client>,
    #[cfg(feature = "files")]
    pub(super) folder: OnceLock<Folder>,
    #[cfg(not(any(feature = "web", feature = "files")))]
    _nothing: OnceLock<()>,
}

impl Default for Policy {
    fn default() -> Self {
        Self::new()
    }
}

impl fmt::Debug for Policy {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut shown = formatter.debug_struct("Policy");
        #[cfg(feature = "files")]
        shown.field("files", &self.files);
        shown
            .field("root", &self.root)
            .field("control_files", &self.control_files)
            .field("network", &self.network)
            .field("hosts", &self.hosts)
            .field("addresses", &self.addresses)
            .field("limits", &self.limits)
            .field("user_agent", &self.user_agent)
            .finish_non_exhaustive()
    }
}

impl Policy {
    /// The safe default: see [`Policy`].
    pub fn new() -> Self {
        Self {
            root: None,
            control_files: ControlFiles::Refused,
            network: Network::Public,
            hosts: BTreeSet::new(),
            addresses: BTreeSet::new(),
            names: Vec::new(),
            limits: Limits::default(),
            #[cfg(feature = "__worker")]
            worker: Worker::default(),
            user_agent: concat!(
                "Mozilla/5.0 (compatible; tool-builtins/",
                env!("CARGO_PKG_VERSION"),
                ")"
            )
            .to_owned(),
            #[cfg(feature = "files")]
            files: FileSettings::default(),
            #[cfg(all(feature = "command_line", unix))]
            commands: Commands::standard(),
            #[cfg(all(feature = "command_line", unix))]
            sandbox: Sandbox::Required,
            shared: Arc::default(),
        }
    }

    /// The policy for a call: the executor's state of this type, or the safe default where there is none.
    ///
    /// The default is one for the whole process, so that all calls share its connections and its open directory.
    ///
    /// # Examples
    ///
    /// ```
    /// use tool_builtins::{Network, Policy};
    /// use tool_core::Context;
    ///
    /// let offline = Context::new().with_state(Policy::new().network(Network::Off));
    /// assert_eq!(Policy::of(&offline).network_access(), Network::Off);
    /// assert_eq!(Policy::of(&Context::new()).network_access(), Network::Public);
    /// ```
    pub fn of(context: &Context) -> &Self {
        static DEFAULT: LazyLock<Policy> = LazyLock::new(Policy::new);

        context.state().unwrap_or(&DEFAULT)
    }

    /// Sets the directory below which files may be read and written.
    ///
    /// It is opened at the first use and stays that very directory, even when it is renamed. Default: the
    /// current working directory at the first use.
    pub fn root(mut self, directory: impl Into<PathBuf>) -> Self {
        self.root = Some(directory.into());
        self.changed()
    }

    /// Sets whether files that steer other programs may be written. Default: [`ControlFiles::Refused`].
    pub fn control_files(mut self, control_files: ControlFiles) -> Self {
        self.control_files = control_files;
        self.changed()
    }

    /// Sets what the web tools may connect to. Default: [`Network::Public`].
    pub fn network(mut self, network: Network) -> Self {
        self.network = network;
        self.changed()
    }

    /// Allows one address and port that [`Network::Public`] would refuse, for URLs that spell out the address.
    ///
    /// Redirects to any other private address or port are still refused.
    pub fn allow_address(mut self, address: SocketAddr) -> Self {
        self.addresses.insert(address);
        self.changed()
    }

    /// Limits the web tools to these hosts and the names below them; redirects elsewhere are refused.
    ///
    /// `example.com` also allows `docs.example.com`, not `badexample.com`. Default: every host.
    pub fn only_hosts<I, S>(mut self, hosts: I) -> Self
    where
        I: IntoIterator<Item = S>,
        S: AsRef<str>,
    {
        self.hosts = hosts
            .into_iter()
            .map(|host| host.as_ref().trim_matches('.').to_ascii_lowercase())
            .collect();
        self.changed()
    }

    /// Answers lookups of `name` with `address`, which is then checked like any other answer.
    ///
    /// Several calls for one name give several addresses. Names that are not listed are asked of the system.
    pub fn resolve(mut self, name: impl Into<String>, address: IpAddr) -> Self {
        self.names.push((name.into().to_ascii_lowercase(), address));
        self.changed()
    }

    /// Sets the largest answer that is taken in, in bytes after decompression. Default: 10 MiB.
    pub fn max_download(mut self, bytes: usize) -> Self {
        self.limits.download = bytes;
        self.changed()
    }

    /// Sets the largest file that is read, in bytes. Default: 10 MiB.
    pub fn max_file_read(mut self, bytes: usize) -> Self {
        self.limits.file_read = bytes;
        self.changed()
    }

    /// Sets the largest file that is written, in bytes. Default: 10 MiB.
    pub fn max_file_write(mut self, bytes: usize) -> Self {
        self.limits.file_write = bytes;
        self.changed()
    }

    /// Sets what a compressed document may expand to, in bytes, all its parts together. Default: 128 MiB.
    pub fn max_expanded(mut self, bytes: usize) -> Self {
        self.limits.expanded = bytes;
        self.changed()
    }

    /// Sets how many redirects one request may follow. Default: 10.
    pub fn max_redirects(mut self, redirects: usize) -> Self {
        self.limits.redirects = redirects;
        self.changed()
    }

    /// Sets how long one request may take altogether. Default: 30 s.
    pub fn total_timeout(mut self, time: Duration) -> Self {
        self.limits.total = time;
        self.changed()
    }

    /// Sets how long connecting may take. Default: 10 s.
    pub fn connect_timeout(mut self, time: Duration) -> Self {
        self.limits.connect = time;
        self.changed()
    }

    /// Sets how long a server may send nothing. Default: 10 s.
    pub fn idle_timeout(mut self, time: Duration) -> Self {
        self.limits.idle = time;
        self.changed()
    }

    /// Sets the `User-Agent` of requests that do not bring their own.
    ///
    /// Default: `Mozilla/5.0 (compatible; tool-builtins/VERSION)`.
    pub fn user_agent(mut self, user_agent: impl Into<String>) -> Self {
        self.user_agent = user_agent.into();
        self.changed()
    }

    /// The limits in force.
    #[must_use]
    pub fn limits(&self) -> &Limits {
        &self.limits
    }

    /// What may be connected to.
    #[must_use]
    pub fn network_access(&self) -> Network {
        self.network
    }

    /// The directory that was set, or `None` for the current working directory.
    #[must_use]
    pub fn root_directory(&self) -> Option<&Path> {
        self.root.as_deref()
    }

    /// Whether files that steer other programs may be written.
    #[must_use]
    pub fn control_file_access(&self) -> ControlFiles {
        self.control_files
    }

    /// A pooled connection was checked under the old settings, so a changed policy shares nothing with it.
    pub(super) fn changed(mut self) -> Self {
        self.shared = Arc::default();
        self
    }
}

#[cfg(any(feature = "web", feature = "files"))]
impl Policy {
    pub(super) fn shared(&self) -> &Shared {
        &self.shared
    }
}

#[cfg(all(feature = "command_line", unix))]
impl Policy {
    /// Sets which programs a model may run. Default: [`Commands::standard`], of which those that write ask for approval.
    pub fn commands(mut self, commands: Commands) -> Self {
        self.commands = commands;
        self
    }

    /// Sets whether commands run where the operating system cannot confine them. Default: [`Sandbox::Required`].
    pub fn sandbox(mut self, sandbox: Sandbox) -> Self {
        self.sandbox = sandbox;
        self
    }

    /// The programs that a model may run.
    pub fn allowed_commands(&self) -> &Commands {
        &self.commands
    }

    /// Whether commands run where the operating system cannot confine them.
    #[must_use]
    pub fn command_sandbox(&self) -> Sandbox {
        self.sandbox
    }
}

#[cfg(feature = "web")]
impl Policy {
    pub(super) fn hosts(&self) -> &BTreeSet<String> {
        &self.hosts
    }

    pub(super) fn addresses(&self) -> &BTreeSet<SocketAddr> {
        &self.addresses
    }

    pub(super) fn names(&self) -> &[(String, IpAddr)] {
        &self.names
    }

    /// The same settings without the shared pool.
    pub(super) fn detached(self) -> Self {
        self.changed()
    }

    pub(super) fn agent(&self) -> &str {
        &self.user_agent
    }
}
