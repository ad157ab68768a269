import { serverConfigSchema } from '@dataagent/schema'
import { longCount } from '@dataagent/testkit'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parsePaste } from './parse-paste.ts'

const pieces = fc.constantFrom(
  ...[
    '{',
    '}',
    '[',
    ']',
    '"',
    "'",
    ',',
    ':',
    '\\',
    '\n',
    ' ',
    '`',
    '$(',
    ';',
    '|',
    '//',
    '/*',
    '*/',
  ],
  ...['"mcpServers":', '"servers":', '"command":', '"args":', '"env":', '"url":', '"x"', 'null'],
  ...['claude mcp add ', 'add-json ', '--env ', '-- ', 'npx -y ', 'docker run -e A=b ', 'K=V '],
  ...['[mcp_servers.x]\n', 'command = "x"\n', 'https://x.example/sse', 'cursor://x?config='],
  ...['"packages":', '"remotes":', '"registryType":', '"npm"', '"identifier":', '```', '__proto__'],
)
const texts = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 200 }),
  fc.array(pieces, { maxLength: 40 }).map((parts) => parts.join('')),
)
const wildValue = fc.oneof(fc.string(), fc.jsonValue({ maxDepth: 2 }))
const wildEntry = fc.dictionary(
  fc.constantFrom(
    ...[
      'name',
      'command',
      'args',
      'env',
      'url',
      'headers',
      'type',
      'transport',
      'timeout',
      'proxy',
    ],
    ...['description', 'disabled', 'cwd', 'approval', 'packages', 'identifier', 'registryType'],
  ),
  fc.oneof(wildValue, fc.constantFrom('http', 'stdio', 'https://x.example', 'npx', ['-y', 'x'], 5)),
)
const documents = fc.oneof(
  fc.record({ mcpServers: fc.dictionary(fc.string(), wildEntry) }),
  fc.record({ servers: fc.array(wildEntry) }),
  fc.record({ servers: fc.dictionary(fc.string(), wildEntry) }),
  fc.record({ name: fc.string(), packages: fc.array(wildEntry), remotes: fc.array(wildEntry) }),
)
const any = fc.oneof(
  texts,
  documents.map((document) => JSON.stringify(document)),
)

test('any text gives a preview, and what it offers fits the contract', () => {
  fc.assert(
    fc.property(any, (text) => {
      const { entries, error } = parsePaste(text)
      if (entries.length === 0) expect(error).toEqual(expect.any(String))
      for (const entry of entries) {
        if (entry.status === 'invalid') continue
        expect(serverConfigSchema.safeParse(entry.config).success).toBe(true)
        expect(entry.config.name).toBe(entry.name)
      }
    }),
    { numRuns: longCount(300, 100_000) },
  )
})

const megabyte = 1 << 20
/** In the short form each is a quarter as long: what is not linear takes too long there too. */
const size = longCount(megabyte / 4, megabyte)
const fill = (text: string, before = '', after = '') => {
  const room = size - before.length - after.length
  return before + text.repeat(Math.floor(room / text.length)) + after
}

const hostile: Record<string, string> = {
  'open braces': fill('{'),
  'open brackets': fill('['),
  'nested objects': fill('{"a":'),
  quotes: fill('"'),
  'quotes that are escaped': fill('\\"', '{"'),
  'open comments': fill('/*', '{'),
  'trailing commas': fill(',', '[', ']'),
  spaces: `{${' '.repeat(size - 2)}x`,
  backticks: fill('`'),
  fences: fill('```\n'),
  backslashes: fill('\\', 'npx '),
  'windows paths': fill('C:\\', 'npx '),
  substitutions: fill('$(', 'npx '),
  'double quotes in a line': fill('"a"', 'npx '),
  words: fill('a ', 'npx '),
  assignments: fill('A=b '),
  lines: fill('npx a\n'),
  'claude lines': fill('claude mcp add a b\n'),
  options: fill('--env A=b ', 'claude mcp add a '),
  headers: fill('-H "A: b" ', 'claude mcp add -t http a https://x '),
  versions: fill('=', 'npx a', '/'),
  signs: fill('@', 'npx '),
  'a placeholder': fill('your_', '{"mcpServers":{"a":{"command":"x","env":{"A":"', '"}}}}'),
  dollars: fill(`\${`, '{"mcpServers":{"a":{"command":"x","env":{"A":"', '"}}}}'),
  'equal names': fill('{"name":"a","command":"x"},', '{"servers":[', '{}]}'),
  'empty entries': fill('{},', '[', '{}]'),
  'unknown fields': `{"mcpServers":{"a":{"command":"x"${Array.from({ length: size / 15 }, (_, n) => `,"f${n}":1`).join('')}}}}`,
  variables: `{"mcpServers":{"a":{"command":"x","env":{"A":"b"${Array.from({ length: size / 18 }, (_, n) => `,"K${n}":"v"`).join('')}}}}}`,
  'toml tables': fill('[[mcp_servers.a]]\n'),
  'toml dots': fill('.a', '[mcp_servers', ']'),
  'toml keys':
    Array.from({ length: size / 18 }, (_, n) => `k${n} = 1\n`).join('') +
    '[mcp_servers.a]\ncommand="x"',
  'toml brackets': fill('[', '[mcp_servers.a]\nx = '),
  'toml strings': fill('"""', '[mcp_servers.a]\nx = '),
  'an address': fill('a', 'https://x.example/?'),
  'a link': fill('A', 'cursor://anysphere.cursor-deeplink/mcp/install?name=a&config='),
  'registry places': fill('{a}', '{"name":"a","remotes":[{"url":"', '"}]}'),
}

/** Generous for a busy machine; what is not linear takes minutes for a megabyte. */
const patienceMs = longCount(5_000, 15_000)

test.each(Object.keys(hostile))(
  `${size >> 10} KiB of %s are read in one go`,
  (name) => {
    const begun = performance.now()
    parsePaste(hostile[name] ?? '')
    expect(performance.now() - begun).toBeLessThan(patienceMs)
  },
  patienceMs,
)

test('more than a megabyte is refused', () => {
  expect(parsePaste('a'.repeat(megabyte + 1)).error).toContain('longer than')
})

test('a thousand servers are too many to look at', () => {
  const servers = Array.from({ length: 1_000 }, (_, n) => ({ name: `s${n}`, command: 'x' }))
  const { entries, error } = parsePaste(JSON.stringify({ servers }))
  expect(entries).toHaveLength(200)
  expect(error).toContain('only the first 200')
})
