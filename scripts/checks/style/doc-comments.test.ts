import { describe, expect, test } from 'vitest'
import { findingsOf } from './test-style.ts'

describe('a doc comment on every public function [D10.3]', () => {
  test.each([
    ['function', 'export function run() {}'],
    ['async function', 'export async function run() {}'],
    ['arrow function', 'export const run = () => 1'],
    ['class', 'export class run { stop() {} }'],
    ['function exported below', 'function go() {}\nexport { go as run }'],
    ['plain block comment', '/* Runs. */\nexport function run() {}'],
    ['line comment', '// Runs.\nexport function run() {}'],
    ['comment of another', '/** Of a. */\nconst a = 1\nexport function run() { return a }'],
  ])('%s', async (_form, source) => {
    const text = `${source}\nexport type B = 1\n`
    expect(await findingsOf({ 'packages/x/src/run.ts': text })).toEqual([
      expect.stringContaining('run is public (packages/x/src/index.ts) and has no doc comment'),
    ])
  })

  test('through a second re-export', async () => {
    const files = {
      'packages/x/src/index.ts': "export { run } from './room/index.ts'\n",
      'packages/x/src/room/index.ts': "export { go as run } from './go.ts'\n",
      'packages/x/src/room/go.ts': 'export function go() {}\n',
    }
    expect(await findingsOf(files)).toEqual([
      'packages/x/src/room/go.ts:1 run is public (packages/x/src/index.ts) and has no doc comment',
    ])
  })

  test('an entry point that exports everything, or is missing, is caught', async () => {
    expect(await findingsOf({ 'packages/x/src/index.ts': "export * from './run.ts'\n" })).toEqual([
      'packages/x/src/index.ts:1 list the names one by one',
    ])
    const exports = { './sql': { 'dataagent-source': './src/sql.ts' } }
    expect(await findingsOf({ 'packages/x/package.json': { exports } })).toEqual([
      'packages/x/src/sql.ts:0 package.json exports it: it is missing',
    ])
  })
})
