import { randomUUID } from 'node:crypto'
import { isAppError } from '@dataagent/schema'
import { longCount } from '@dataagent/testkit'
import { expect, test } from 'vitest'
import { describeKv } from './describe-kv.ts'
import { deleteByPrefix, keysOf } from './keys-of.ts'

describeKv('values', ({ kv, other, elapse }) => {
  test('what one end sets the other gets, and nothing before', async () => {
    const key = randomUUID()
    expect(await other.get(key)).toBeUndefined()
    await kv.set(key, 'one')
    expect(await other.get(key)).toBe('one')
  })

  test('any well-formed text is kept as it is', async () => {
    const texts = ['', '\0', '"{}\\n', 'é 漢字 🙂', ' ', 'x'.repeat(1_000_000)]
    for (const text of texts) {
      const key = `weird ${randomUUID()} 漢*?[a]{b}`
      await kv.set(key, text)
      expect(await other.get(key)).toBe(text)
    }
  })

  test('delete says whether there was something', async () => {
    const key = randomUUID()
    await kv.set(key, 'one')
    expect([await kv.delete(key), await kv.delete(key)]).toEqual([true, false])
    expect(await kv.get(key)).toBeUndefined()
  })

  test('a value with a time to live is gone after it, and not before', async () => {
    const key = randomUUID()
    await kv.set(key, 'one', { ttlMs: 600 })
    expect(await kv.get(key)).toBe('one')
    const expiry = await kv.expiry(key)
    expect(expiry.kind === 'in' && expiry.ms > 0 && expiry.ms <= 600).toBe(true)
    await elapse(600)
    expect(await kv.get(key)).toBeUndefined()
    expect(await kv.expiry(key)).toEqual({ kind: 'absent' })
    expect(await kv.delete(key)).toBe(false)
  })

  test('setting again without a time to live keeps the value', async () => {
    const key = randomUUID()
    await kv.set(key, 'one', { ttlMs: 300 })
    await kv.set(key, 'two')
    expect(await kv.expiry(key)).toEqual({ kind: 'never' })
    await elapse(300)
    expect(await kv.get(key)).toBe('two')
  })

  test('set-if-absent leaves a value alone until it has expired', async () => {
    const key = randomUUID()
    expect(await kv.setIfAbsent(key, 'one', { ttlMs: 600 })).toBe(true)
    expect(await other.setIfAbsent(key, 'two')).toBe(false)
    expect((await kv.expiry(key)).kind).toBe('in')
    await elapse(600)
    expect(await other.setIfAbsent(key, 'three')).toBe(true)
    expect(await kv.get(key)).toBe('three')
  })

  test('of 100 parallel takes from two ends exactly one wins, each round', async () => {
    for (let round = 0; round < longCount(20, 1_000); round++) {
      const key = randomUUID()
      await kv.set(key, 'code')
      const takes = await Promise.all(
        Array.from({ length: 100 }, (_, i) => (i % 2 ? kv : other).take(key)),
      )
      expect(takes.filter((value) => value !== undefined)).toEqual(['code'])
      expect(await kv.get(key)).toBeUndefined()
    }
  })

  test('compare-and-set replaces only what was expected', async () => {
    const key = randomUUID()
    expect(await kv.compareAndSet(key, 'one', 'two')).toBe(false)
    expect(await kv.compareAndSet(key, undefined, '')).toBe(true)
    expect(await kv.compareAndSet(key, undefined, 'two')).toBe(false)
    expect(await kv.compareAndSet(key, '', 'two', { ttlMs: 60_000 })).toBe(true)
    expect((await kv.expiry(key)).kind).toBe('in')
    expect(await kv.compareAndSet(key, 'two', 'three')).toBe(true)
    expect(await kv.expiry(key)).toEqual({ kind: 'never' })
    expect(await kv.compareAndSet(key, 'three', undefined)).toBe(true)
    expect(await kv.get(key)).toBeUndefined()
  })

  test('of racing compare-and-sets one wins, so that no increment is lost', async () => {
    const key = randomUUID()
    const increment = async (end: typeof kv): Promise<void> => {
      const found = await end.get(key)
      if (await end.compareAndSet(key, found, String(Number(found ?? 0) + 1))) return
      return increment(end)
    }
    await Promise.all(Array.from({ length: 40 }, (_, i) => increment(i % 2 ? kv : other)))
    expect(await kv.get(key)).toBe('40')
  })

  test('keys are listed by prefix, page by page, and none that only looks like it', async () => {
    const own = `list*${randomUUID()}`
    const keys = Array.from({ length: 2_500 }, (_, i) => `${own}:${i}`)
    await Promise.all(keys.map((key) => kv.set(key, 'x')))
    await kv.set(`list-${own.slice(5)}:none`, 'x')
    await kv.add(`${own}:counter`, 1)
    const found = new Set(await collect(keysOf(other, own)))
    expect([...found].toSorted()).toEqual(keys.toSorted())
  })

  test('delete by prefix takes those and no others', async () => {
    const own = randomUUID()
    await Promise.all(['a:1', 'a:2', 'b:1'].map((key) => kv.set(`${own}:${key}`, 'x')))
    expect(await deleteByPrefix(other, `${own}:a:`)).toBe(2)
    expect(await collect(keysOf(kv, own))).toEqual([`${own}:b:1`])
  })

  test('values, windows, counters and leases of one name are apart', async () => {
    const name = randomUUID()
    await kv.set(name, 'value')
    expect(await kv.count(name, { max: 5, windowMs: 60_000 })).toMatchObject({ used: 1 })
    expect(await kv.add(name, 7)).toEqual({ status: 'ok', value: 7 })
    expect(await kv.acquireLease(name, { ttlMs: 60_000, owner: 'me' })).toBeDefined()
    expect(await kv.get(name)).toBe('value')
  })

  test.each([
    ['an empty key', () => kv.get('')],
    ['a key of its own kind', () => kv.set('#counter:x', '1')],
    ['a key too long', () => kv.take('k'.repeat(1_025))],
    ['an empty prefix', () => kv.list('')],
    ['a time to live of 0', () => kv.set('k', 'v', { ttlMs: 0 })],
    ['an endless time to live', () => kv.setIfAbsent('k', 'v', { ttlMs: Infinity })],
    ['half a millisecond', () => kv.compareAndSet('k', undefined, 'v', { ttlMs: 0.5 })],
    ['a negative cost', () => kv.count('k', { max: 1, windowMs: 10, cost: -1 })],
    ['a limit that is no number', () => kv.count('k', { max: Number.NaN, windowMs: 10 })],
    ['half a step', () => kv.add('k', 0.5)],
    ['an empty channel', () => kv.publish('', 'x')],
    ['a lease for no time', () => kv.acquireLease('k', { ttlMs: 0, owner: 'me' })],
  ])('refuses %s', async (_, call) => {
    await expect(call()).rejects.toSatisfy((error) => isAppError(error, 'invalid_request'))
  })

  test('is ready', async () => {
    await kv.ready(AbortSignal.timeout(5_000))
    expect(kv.state).toEqual({ status: 'ready' })
  })
})

async function collect(keys: AsyncIterable<string>): Promise<string[]> {
  const found: string[] = []
  for await (const key of keys) found.push(key)
  return found
}
