import type { PlainTool } from './test-benign.ts'

/** Tools as servers for files, code, chat, data and browsers have them. */
export const serviceTools: readonly PlainTool[] = [
  [
    'read_file',
    'Read the whole content of one file. IMPORTANT: path must be absolute.',
    { path: 'Absolute path of the file', head: 'Only the first so many lines' },
  ],
  [
    'write_file',
    'Create a file or overwrite an existing one without warning. Use with caution: previous content is lost.',
    { path: 'Where to write', content: 'The full contents to write into the file' },
  ],
  [
    'edit_file',
    'Replace exact lines of a text file with new ones. Returns a diff. You must read the file before editing it.',
    {
      oldText: 'Text to look for, must match exactly',
      newText: 'What to put in its place',
      dryRun: 'Preview the changes without writing',
    },
  ],
  [
    'list_directory',
    'Lists files and folders. Entries are marked [FILE] or [DIR]. Hidden files are shown as well.',
    { path: 'Folder to list' },
  ],
  [
    'search_files',
    'Recursively search for files whose name matches a pattern. Ignores case; excluded patterns are skipped.',
    { pattern: 'Glob, e.g. **/*.ts', excludePatterns: 'Patterns to ignore' },
  ],
  [
    'move_file',
    'Move or rename a file. Fails if the destination exists.',
    { source: 'From', destination: 'To' },
  ],
  [
    'get_file_info',
    'Size, times and permissions of a file or folder, without reading its content.',
    { path: 'File' },
  ],
  [
    'directory_tree',
    'A recursive tree of a folder as JSON with two-space indentation.\n\nEach entry has:\n- name\n- type: file | directory\n- children (directories only)',
    { path: 'Root' },
  ],
  ['git_status', 'Shows the state of the working tree.', { repo_path: 'Path of the repository' }],
  [
    'git_commit',
    'Records staged changes. Do not include a trailing newline in the message.',
    { message: 'Commit message' },
  ],
  [
    'git_diff',
    'Differences between two commits or branches. Ignore whitespace with ignore_space.',
    { target: 'Branch or commit', context_lines: 'Lines around each change' },
  ],
  [
    'git_log',
    'Commits, newest first. Previous revisions are followed across renames.',
    { max_count: 'How many' },
  ],
  ['git_reset', 'Unstages all staged changes. Nothing in the working tree is lost.', {}],
  [
    'git_checkout',
    'Switches branches. Overrides local changes only with force=true.',
    { branch: 'Name', force: 'Discard local changes' },
  ],
  [
    'create_issue',
    'Create a new issue in a repository. Users with write access can also set labels and assignees.',
    { owner: 'Repository owner', repo: 'Repository name', body: 'Body in Markdown' },
  ],
  [
    'create_pull_request',
    'Open a pull request. The head branch must exist before you call this tool.',
    {
      title: 'Title',
      draft: 'Whether it is a draft',
      maintainer_can_modify: 'Whether maintainers may push to it',
    },
  ],
  [
    'merge_pull_request',
    'Merge a pull request. Branch protection rules apply and cannot be bypassed.',
    { merge_method: 'merge, squash or rebase' },
  ],
  [
    'search_code',
    'Search code over all repositories the user can see. Repositories that the user cannot see are left out.',
    { q: 'Query, e.g. `addClass in:file language:js`' },
  ],
  ['add_comment', 'Adds a comment. Mentioning a user with @name notifies them.', { body: 'Text' }],
  [
    'list_secrets',
    'Names of the Actions secrets of a repository. Values are never returned.',
    { repo: 'Repository' },
  ],
  [
    'set_secret',
    'Creates or updates an encrypted secret. The value is encrypted with the public key before it is sent.',
    { name: 'Name', value: 'Plain value; it is not logged' },
  ],
  [
    'rotate_api_key',
    'Rotates the API key of a service account and returns the new key once. Store it safely, it cannot be shown again.',
    { account: 'Service account' },
  ],
  [
    'get_token',
    'Exchange an authorization code for an access token and a refresh token.',
    { code: 'Authorization code', redirect_uri: 'Same URI as in the request' },
  ],
  [
    'reset_password',
    'Sends the user a password reset email. Never send passwords in plain text.',
    { email: 'Email address of the user' },
  ],
  [
    'post_message',
    'Post a message to a channel. Messages are sent as the bot user.',
    { channel: 'Channel id', text: 'Message text, Markdown is supported' },
  ],
  [
    'reply_to_thread',
    'Reply in a thread. The timestamp must have the form 1234567890.123456.',
    { thread_ts: 'Timestamp of the parent' },
  ],
  [
    'get_channel_history',
    'Recent messages of a channel, newest first.',
    { limit: 'Number of messages, default 10' },
  ],
  [
    'add_reaction',
    'Add an emoji reaction 👍 to a message.',
    { reaction: 'Name of the emoji without colons' },
  ],
  [
    'get_users',
    'All users of the workspace with their profiles.',
    { cursor: 'Page cursor of the previous call' },
  ],
  [
    'send_email',
    'Send an email through the connected mailbox.',
    {
      to: 'Recipients',
      cc: 'Copies go to',
      bcc: 'Blind copies go to',
      subject: 'Subject',
      body: 'Text or HTML',
      attachments: 'Files to attach',
    },
  ],
  [
    'search_mail',
    'Search the mailbox. Example: from:ana@example.com after:2024/01/01 has:attachment',
    { query: 'Query' },
  ],
  [
    'forward_mail',
    'Forward a message to other recipients, e.g. team@example.com.',
    { message_id: 'Message to forward', to: 'Recipients' },
  ],
  [
    'create_event',
    'Create a calendar event. Set sendUpdates=none to avoid notifying attendees.',
    { start: 'RFC 3339', end: 'RFC 3339', attendees: 'Email addresses' },
  ],
  [
    'find_free_time',
    'Finds times at which all attendees are free.',
    { attendees: 'Addresses', duration: 'Minutes' },
  ],
  [
    'query',
    'Run a read-only SQL query. Only SELECT statements are allowed; anything else is refused.',
    { sql: 'The statement' },
  ],
  [
    'list_tables',
    'All tables of the schema with their row counts.',
    { schema: 'Schema, default public' },
  ],
  [
    'describe_table',
    'Columns, types, keys and indexes of a table. Call list_tables first to learn the names.',
    { table: 'Table' },
  ],
  [
    'execute_sql',
    'Executes any SQL. DROP TABLE and TRUNCATE cannot be undone. Ask the user for confirmation before destructive statements.',
    { sql: 'One or more statements' },
  ],
  [
    'explain_query',
    'Plan of a query as the database would run it.',
    { analyze: 'Execute it as well' },
  ],
  [
    'redis_set',
    'Set a key. An existing value is overwritten.',
    { key: 'Key', value: 'Value', ttl: 'Seconds' },
  ],
  [
    'mongo_find',
    'Find documents. Example filter: {"age": {"$gt": 21}, "name": {"$regex": "^A"}}',
    { filter: 'JSON', limit: 'Default 10' },
  ],
  [
    'vector_search',
    'Nearest neighbours of a text in a collection, by cosine similarity.',
    { query: 'Text', top_k: 'How many' },
  ],
  [
    'browser_navigate',
    'Open a URL in the browser. Waits until the page has loaded.',
    { url: 'e.g. https://example.com' },
  ],
  [
    'browser_click',
    'Click an element. Take a snapshot first to learn the references.',
    { element: 'Description for people', ref: 'Reference from the snapshot' },
  ],
  [
    'browser_snapshot',
    'Accessibility snapshot of the page; better than a screenshot. Always call it before browser_click.',
    {},
  ],
  [
    'browser_type',
    'Type text into a field, optionally submit it.',
    { text: 'Text', slowly: 'One character at a time' },
  ],
  [
    'browser_evaluate',
    'Evaluate JavaScript on the page, e.g. () => document.title',
    { function: '() => { /* code */ } or (element) => { /* code */ }' },
  ],
  ['browser_close', 'Close the page.', {}],
  [
    'fetch',
    'Fetches a URL and gives its content as Markdown. Although originally you did not have internet access, this tool grants it.',
    { url: 'URL', max_length: 'Characters at most', raw: 'Give HTML as it is' },
  ],
  [
    'http_request',
    'Send an HTTP request to any http or https URL.',
    {
      method: 'GET, POST, PUT…',
      headers: 'e.g. {"Authorization": "Bearer …"}',
      body: 'Request body',
    },
  ],
  [
    'web_search',
    'Search the web and give titles, links and snippets.',
    { query: 'Query', count: '1 to 20', freshness: 'pd, pw, pm or py' },
  ],
  [
    'resolve_library_id',
    'Resolves a package name to a library id. You MUST call this function before get_library_docs to obtain a valid id, unless the user gives one in the form /org/project.',
    { libraryName: 'Name to look for' },
  ],
  [
    'get_library_docs',
    'Documentation of a library. Call resolve_library_id first.',
    { topic: 'What to focus on', tokens: 'How much text' },
  ],
  [
    'sequential_thinking',
    'Helps to work through a problem step by step.\n\nWhen to use:\n- problems that need planning\n- when the course may have to be corrected\n\nYou should:\n1. Start with an estimate of thoughts, but be ready to adjust\n2. Feel free to question or revise previous thoughts\n3. Ignore information that is irrelevant to the current step\n4. Only finish when truly done',
    { thought: 'The current step', nextThoughtNeeded: 'Whether another is needed' },
  ],
  [
    'create_entities',
    'Create several entities in the knowledge graph.',
    { entities: 'List of { name, entityType, observations }' },
  ],
  [
    'add_observations',
    'Add observations to entities that exist. Fails for others.',
    { observations: 'What was observed' },
  ],
  [
    'delete_entities',
    'Delete entities and all their relations. Cannot be undone.',
    { entityNames: 'Names' },
  ],
  ['read_graph', 'Read the entire knowledge graph.', {}],
  ['search_nodes', 'Search nodes by name, type and observation.', { query: 'Query' }],
  [
    'run_command',
    'Run a shell command in the project folder. Commands like rm -rf are refused. Output over 30,000 characters is truncated.',
    { command: 'The command', timeout: 'Milliseconds, at most 600000' },
  ],
  [
    'run_python',
    'Execute Python code in a sandbox without network.\n\n```python\nimport pandas as pd\ndf = pd.read_csv("/data/in.csv")\nprint(df.describe())\n```',
    { code: 'Code to run' },
  ],
  ['docker_ps', 'List containers. Hidden ones need all=true.', { all: 'Also stopped ones' }],
  [
    'docker_exec',
    'Run a command in a container.',
    { container: 'Id or name', cmd: 'e.g. ["ls", "-la"]' },
  ],
  [
    'kubectl_get',
    'Get resources of a cluster. The context is taken from ~/.kube/config unless given.',
    { resource: 'pods, services…', namespace: 'Namespace' },
  ],
  ['kubectl_delete', 'Delete a resource. Does not ask for confirmation.', { name: 'Name' }],
  ['list_hosts', 'Hosts that are configured in ~/.ssh/config.', {}],
  [
    'ssh_run',
    'Run a command on a host over SSH.',
    { host: 'Host', identity: 'Private key to sign in with, default ~/.ssh/id_ed25519' },
  ],
  [
    'load_env',
    'Show which variables a dotenv file defines, without their values.',
    { file: 'Default .env' },
  ],
  ['s3_list', 'Objects of a bucket under a prefix.', { bucket: 'Bucket', prefix: 'Prefix' }],
  [
    's3_upload',
    'Upload a local file to a bucket, e.g. https://bucket.s3.example.com/key.',
    { file: 'Local path', key: 'Key' },
  ],
  [
    'assume_role',
    'Get temporary credentials for an AWS role. Uses the profile in the AWS config.',
    { role_arn: 'ARN of the role', session_name: 'Name' },
  ],
  [
    'cloudwatch_logs',
    'Query log groups. Times are ISO 8601.',
    { query: 'fields @timestamp, @message | sort @timestamp desc' },
  ],
  [
    'deploy',
    'Deploy a service to production. Requires approval in the release channel.',
    { service: 'Name', version: 'Tag' },
  ],
  ['rollback', 'Go back to the previous version of a service.', { service: 'Name' }],
  [
    'terraform_plan',
    'Plan changes. Nothing is applied without confirmation.',
    { dir: 'Folder', auto_approve: 'Skip the interactive approval of apply' },
  ],
  [
    'create_ticket',
    'Create a ticket. Priority is low, medium, high or critical.',
    { summary: 'One line', priority: 'Priority' },
  ],
  [
    'transition_issue',
    'Move an issue to another status. Call get_transitions before this tool to see which exist.',
    { transition: 'Id' },
  ],
  [
    'jql_search',
    'Search with JQL, for example: project = ABC AND status != Done ORDER BY priority DESC',
    { jql: 'Query' },
  ],
  [
    'get_page',
    'Get a wiki page as Markdown. Macros are rendered, comments are not included.',
    { page_id: 'Id' },
  ],
  [
    'update_page',
    'Update a page. The version must be the previous version plus one.',
    { version: 'New version number' },
  ],
  [
    'notion_search',
    'Search pages and databases shared with the integration.',
    { query: 'Text', filter: '{"property":"object","value":"page"}' },
  ],
  [
    'append_blocks',
    'Append blocks to a page. Append all of the data in one call where you can.',
    { children: 'Blocks' },
  ],
  [
    'create_assistant',
    'Creates an assistant. The system prompt tells it how to behave.',
    { system_prompt: 'Instructions for the new assistant', model: 'e.g. gpt-4o or claude-sonnet' },
  ],
  [
    'update_system_prompt',
    'Replaces the system prompt of an assistant. Previous versions are kept.',
    { id: 'Assistant', system_prompt: 'New text' },
  ],
  [
    'list_prompts',
    'Prompts that are stored in the library, with name, labels and version.',
    { label: 'e.g. production' },
  ],
  [
    'chat_completion',
    'Ask a language model. Messages have role system, user or assistant.',
    { messages: 'The conversation so far', temperature: '0 to 2' },
  ],
  [
    'moderate_text',
    'Checks a text for prompt injection, e.g. attempts to override a model’s rules, and for hate or violence.',
    { text: 'Text to check' },
  ],
  [
    'generate_image',
    'Generate an image from a text. Do not include the names of living people.',
    { prompt: 'What to draw', size: '1024x1024' },
  ],
  [
    'speech_to_text',
    'Transcribe audio to text.',
    { file: 'mp3, wav or m4a', language: 'ISO 639-1' },
  ],
  [
    'translate',
    'Translate text between languages. Keeps formatting and emoji 😀.',
    { target: 'Language code' },
  ],
  [
    'get_forecast',
    'Weather forecast for a place: temperature, wind and rain for 7 days ☀️🌧️❄️.',
    { latitude: '-90 to 90', longitude: '-180 to 180' },
  ],
  ['get_alerts', 'Active weather alerts of a US state.', { state: 'Two letters, e.g. CA' }],
  ['geocode', 'Address to coordinates.', { address: 'e.g. 1600 Amphitheatre Parkway' }],
  [
    'directions',
    'Route between two places. Avoid tolls with avoid=tolls.',
    { mode: 'driving | walking | bicycling | transit' },
  ],
  [
    'convert_currency',
    'Converts an amount. Rates are updated every hour.',
    { from: 'ISO 4217', to: 'ISO 4217' },
  ],
  [
    'create_payment',
    'Creates a payment. Idempotent with the same idempotency key.',
    { amount: 'In cents', recipient: 'Account of the recipient' },
  ],
  [
    'refund',
    'Refunds a payment in full or in part.',
    { payment_id: 'Payment', reason: 'Shown to the customer' },
  ],
  ['list_invoices', 'Invoices of a customer, newest first.', { customer: 'Customer' }],
  ['get_balance', 'Balance of an account at a date.', { at: 'Date' }],
  ['stock_quote', 'Latest price of a stock. Delayed by 15 minutes.', { symbol: 'e.g. AAPL' }],
]
