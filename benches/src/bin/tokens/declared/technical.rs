//! Tools of programmers and of the web.

super::declare! {
    /// Fetch a page of the web and give its main text.
    fetch_page FetchPage "web-fetch_page" {
        /// The address, with http or https.
        #[schemars(url)]
        url: String,
        /// How the page is given.
        format: Option<Format>,
        /// How many characters to give at most.
        #[schemars(range(min = 100, max = 100_000))]
        max_length: u32 = 20_000,
    }

    /// Search the web.
    search_web SearchWeb "web-search_web" {
        /// What to look for.
        query: String,
        /// How many results.
        #[schemars(range(min = 1, max = 20))]
        count: u8 = 10,
        /// The language of the results, as two letters.
        language: Option<String>,
        /// Only these sites.
        sites: Option<Vec<String>>,
    }

    /// Read a text file, or some of its lines.
    read_file ReadFile "files-read_file" {
        /// The path below the project.
        path: String,
        /// The first line, from 1.
        #[schemars(range(min = 1))]
        start: Option<u64>,
        /// How many lines.
        #[schemars(range(min = 1, max = 5_000))]
        count: u32 = 500,
    }

    /// Write a text file. What was there is replaced.
    write_file WriteFile "files-write_file" {
        /// The path below the project.
        path: String,
        /// The whole content.
        content: String,
        /// Whether missing folders are made.
        create_folders: bool = true,
    }

    /// Find files by a glob, newest first.
    find_files FindFiles "files-find_files" {
        /// The glob, such as `src/**/*.rs`.
        pattern: String,
        /// Where to begin; the project where absent.
        folder: Option<String>,
        /// How many to return.
        limit: usize = 100,
    }

    /// Search the content of files with a regular expression.
    search_text SearchText "files-search_text" {
        /// The regular expression.
        pattern: String,
        /// Only files that match this glob.
        files: Option<String>,
        /// How many lines around each match.
        #[schemars(range(max = 20))]
        context: u8 = 2,
        /// Whether upper and lower case differ.
        case_sensitive: bool = false,
    }

    /// Run a command in the project's container.
    run_command RunCommand "shell-run_command" {
        /// The command and its arguments, one word each.
        #[schemars(length(min = 1))]
        command: Vec<String>,
        /// The folder to run it in.
        folder: Option<String>,
        /// After how many seconds it is stopped.
        #[schemars(range(min = 1, max = 600))]
        timeout: u32 = 60,
    }

    /// Query the database, read only.
    query_database QueryDatabase "database-query_rows" {
        /// The table.
        table: String,
        /// Which columns; all where absent.
        columns: Option<Vec<String>>,
        /// Conditions that must all hold.
        conditions: Option<Vec<Condition>>,
        /// How many rows.
        #[schemars(range(min = 1, max = 1_000))]
        limit: u32 = 100,
        /// How many rows to pass over.
        offset: u64 = 0,
    }

    /// Describe the tables of the database and their columns.
    describe_tables DescribeTables "database-describe_tables" {
        /// Only these tables.
        tables: Option<Vec<String>>,
    }

    /// Get the forecast for a place.
    get_forecast GetForecast "weather-get_forecast" {
        /// The name of the city, in English.
        city: String,
        /// How many days to look ahead.
        #[schemars(range(min = 1, max = 14))]
        days: u8 = 3,
        /// Whether temperatures are in Fahrenheit.
        fahrenheit: Option<bool>,
    }

    /// Plan a route from one place to another.
    plan_route PlanRoute "maps-plan_route" {
        /// Where it begins.
        from: Point,
        /// Where it ends.
        to: Point,
        /// Places on the way, in their order.
        via: Option<Vec<Point>>,
        /// Whether toll roads are avoided.
        avoid_tolls: bool = false,
    }

    /// Translate a text.
    translate_text TranslateText "language-translate_text" {
        /// The text.
        #[schemars(length(max = 10_000))]
        text: String,
        /// The language to translate to, as two letters.
        target: String,
        /// The language of the text; found out where absent.
        source: Option<String>,
    }

    /// Make a picture from a description.
    generate_image GenerateImage "image-generate_image" {
        /// What the picture shows.
        prompt: String,
        /// The width in pixels.
        #[schemars(range(min = 256, max = 2_048))]
        width: u32 = 1_024,
        /// The height in pixels.
        #[schemars(range(min = 256, max = 2_048))]
        height: u32 = 1_024,
        /// The same seed gives the same picture.
        seed: Option<i64>,
    }

    /// Calculate statistics of a list of numbers.
    summarise_numbers SummariseNumbers "math-summarise_numbers" {
        /// The numbers.
        #[schemars(length(min = 1))]
        numbers: Vec<f64>,
        /// Which percentiles to give, from 0 to 100.
        percentiles: Option<Vec<f32>>,
    }

    /// Post a message to a channel of the team's chat.
    send_message SendMessage "chat-send_message" {
        /// The channel, with `#`.
        channel: String,
        /// The message, as Markdown.
        text: String,
        /// The message that this one answers.
        thread: Option<String>,
        /// How urgent it is.
        priority: Option<Priority>,
    }
}
