// biome-ignore-all lint/suspicious/noTemplateCurlyInString: references as files have them
import { expect, test } from 'vitest'
import { expand, referencesOf } from './expand.ts'
import { expandEntry } from './expand-entry.ts'

const variables = { A: 'one', EMPTY: '', NESTED: '${A}', HOME: '/home/ana' }

test.each([
  ['plain $A $ {A} $', 'plain $A $ {A} $'],
  ['${A}-${A}', 'one-one'],
  ['${env:A}', 'one'],
  ['${EMPTY}', ''],
  ['${EMPTY:-two}', 'two'],
  ['${NONE:-}', ''],
  ['${NONE:-a:-b $x}', 'a:-b $x'],
  ['${A:-two}', 'one'],
  ['$${A}', '${A}'],
  ['${A}$${A}${A}', 'one${A}one'],
  ['${NESTED}', '${A}'],
])('%j becomes %j', (text, expanded) => {
  expect(expand(text, variables)).toEqual({ status: 'ok', text: expanded })
})

test.each([
  ['${NONE}', { status: 'missing', name: 'NONE' }],
  ['${A} ${toString}', { status: 'missing', name: 'toString' }],
  ['${', { status: 'malformed', name: '' }],
  ['${}', { status: 'malformed', name: '' }],
  ['${A', { status: 'malformed', name: 'A' }],
  ['${1A}', { status: 'malformed', name: '1A' }],
  ['${input:key}', { status: 'malformed', name: 'input:key' }],
  ['${B-AD:-hush', { status: 'malformed', name: 'B-AD' }],
])('%j names the variable and no value', (text, fault) => {
  expect(expand(text, variables)).toEqual(fault)
})

test('the variables that a text asks for are known', () => {
  expect(referencesOf('${A} $${B} ${C:-d}')).toEqual([
    { name: 'A', fallback: undefined },
    { name: 'C', fallback: 'd' },
  ])
})

test('variables are put into every field that starts or reaches a server, and ~ where a shell would', () => {
  const place = { variables, home: '/home/ana', base: '/base' }
  const entry = {
    command: '~/bin/${A}',
    args: ['~', '~/x', '--at=~/x', '${A}', 7],
    env: { KEY: '${A}', PATH_TO: '~/x' },
    cwd: 'sub/${A}',
    description: '${A}',
  }
  expect(expandEntry(entry, place)).toEqual({
    status: 'ok',
    entry: {
      command: '/home/ana/bin/one',
      args: ['/home/ana', '/home/ana/x', '--at=~/x', 'one', 7],
      env: { KEY: 'one', PATH_TO: '~/x' },
      cwd: '/base/sub/one',
      description: '${A}',
    },
  })
  const remote = { url: 'https://${A}.example/mcp', headers: { Authorization: 'Bearer ${A}' } }
  expect(expandEntry(remote, { ...place, cwd: '/base' })).toEqual({
    status: 'ok',
    entry: { url: 'https://one.example/mcp', headers: { Authorization: 'Bearer one' } },
  })
})

test('a relative path of a command begins at the file, a bare name is looked up', () => {
  const place = { variables, home: '/home/ana', base: '/base', cwd: '/work' }
  expect(expandEntry({ command: './run.sh' }, place)).toMatchObject({
    entry: { command: '/base/run.sh', cwd: '/work' },
  })
  expect(expandEntry({ command: 'npx' }, place)).toMatchObject({ entry: { command: 'npx' } })
})
