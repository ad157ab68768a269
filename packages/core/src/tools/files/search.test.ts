import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { textOf } from '../../testing/test-hub.ts'
import { startFilesHub } from './test-files.ts'

const rig = await startFilesHub({ searchMs: 25_000 })
const { call, put } = rig
const hasty = await startFilesHub({ searchMs: 1_000 })
afterAll(async () => {
  await rig[Symbol.asyncDispose]()
  await hasty[Symbol.asyncDispose]()
})

beforeAll(async () => {
  await put('files/a.md', '# Title\r\nthe ORDER-0042 is here\nall')
  await put('files/deep/订单.csv', '编号,金额\norder-0042,10\n')
  await put('files/deep/.hidden.txt', 'order-0042 hidden')
  await put('files/picture.bin', Buffer.from('order-0042\0'))
  await hasty.put('files/evil.txt', `${'a'.repeat(40)}!\n`)
  await hasty.put(`files/${'a'.repeat(200)}`, '')
})

const run = async (tool: string, args: Record<string, unknown>) => textOf(await call(tool, args))

describe('glob', () => {
  test.each([
    ['**/*.csv', '.', 'files/deep/订单.csv'],
    ['*.md', 'files', 'files/a.md'],
    ['files/**/*.{md,csv}', '.', 'files/a.md\nfiles/deep/订单.csv'],
    ['*.md', '.', '[no file fits]'],
  ])('%s in %s', async (pattern, path, found) => {
    expect(await run('glob', { pattern, path })).toBe(found)
  })

  test('a pattern made to take for ever is stopped, and others go on meanwhile', async () => {
    const evil = hasty.call('glob', { pattern: `files/${'*a'.repeat(40)}b` })
    expect(await run('glob', { pattern: '**/*.csv' })).toBe('files/deep/订单.csv')
    expect(await evil).toMatchObject({ status: 'failed', error: { code: 'timeout' } })
  })
})

describe('grep', () => {
  test('finds plain text with path and line, in hidden files too, not in binary ones', async () => {
    expect(await run('grep', { pattern: 'order-0042' })).toBe(
      'files/deep/.hidden.txt:1: order-0042 hidden\nfiles/deep/订单.csv:2: order-0042,10',
    )
  })

  test('is narrowed by glob and path, and can leave case aside', async () => {
    const args = { pattern: 'order-0042', ignore_case: true, glob: '*.md', path: 'files' }
    expect(await run('grep', args)).toBe('files/a.md:2: the ORDER-0042 is here')
    expect(await run('grep', { pattern: '金额', path: 'files/deep/订单.csv' })).toContain(':1:')
    expect(await run('grep', { pattern: 'a.*l' })).toMatch(/no match in \d files/)
  })

  test('takes regular expressions, and says what is wrong with one', async () => {
    expect(await run('grep', { pattern: '^all$', regex: true })).toBe('files/a.md:3: all')
    expect(await run('grep', { pattern: '(', regex: true })).toContain('no regular expression')
  })

  test('says when there may be more', async () => {
    const found = await run('grep', { pattern: 'order', max_matches: 1 })
    expect(found).toMatch(/^files\/deep\/.hidden.txt:1: .*\n\[there may be more/)
  })

  test('says when one file has more than wanted, and nothing when that was all', async () => {
    await put('files/many/lines.txt', 'ticket 1\nticket 2\nticket 3\n')
    const search = (max_matches: number) =>
      run('grep', { pattern: 'ticket', path: 'files/many', max_matches })
    expect(await search(2)).toMatch(/^(.*ticket \d\n){2}\[there may be more/)
    expect(await search(3)).toMatch(/ticket 3$/)
  })

  test('an expression that takes for ever is stopped, and does not hold up the process', async () => {
    const began = performance.now()
    let turns = 0
    const beat = setInterval(() => turns++, 20)
    const evil = await hasty.call('grep', { pattern: '^(a+)+$', regex: true })
    clearInterval(beat)
    expect(evil).toMatchObject({
      ...{ status: 'failed', error: { code: 'timeout' } },
    })
    expect(textOf(evil)).toContain('Make the pattern simpler')
    expect(performance.now() - began).toBeGreaterThan(900)
    expect(turns).toBeGreaterThan(3)
  })

  test('a call that is cancelled ends at once', async () => {
    const stop = new AbortController()
    await put('outputs/evil.txt', `${'a'.repeat(40)}!\n`)
    const args = { pattern: '^(a+)+$', regex: true, path: 'outputs' }
    const evil = call('grep', args, { signal: stop.signal })
    setImmediate(() => stop.abort())
    expect(await evil).toMatchObject({ status: 'cancelled' })
  })
})
