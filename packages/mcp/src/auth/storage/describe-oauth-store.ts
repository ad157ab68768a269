import { describe, expect, test } from 'vitest'
import type { OAuthStore } from './oauth-store.ts'

/** What every OAuthStore must do. `open` gives a store with nothing in it. */
export function describeOAuthStore(name: string, open: () => Promise<OAuthStore>): void {
  describe(name, () => {
    test('gives back what was set, and nothing else', async () => {
      const store = await open()
      const value = { text: 'a', list: [1, { deep: null }], flag: false }
      await store.set('key', value)
      expect(await store.get('key')).toEqual(value)
      expect(await store.get('other')).toBeUndefined()
    })

    test('keeps the last of what was set', async () => {
      const store = await open()
      await store.set('key', { n: 1 })
      await store.set('key', { m: 2 })
      expect(await store.get('key')).toEqual({ m: 2 })
    })

    test('forgets what is deleted, and does not mind when there is nothing', async () => {
      const store = await open()
      await store.set('key', { n: 1 })
      await store.delete('key')
      await store.delete('key')
      expect(await store.get('key')).toBeUndefined()
    })

    test('is not changed by changing what it gave or got', async () => {
      const store = await open()
      const value = { list: [1] }
      await store.set('key', value)
      value.list.push(2)
      const got = await store.get('key')
      Object.assign(got ?? {}, { list: [] })
      expect(await store.get('key')).toEqual({ list: [1] })
    })

    test('runs work under one key one after the other, and passes on how it ends', async () => {
      const { lock } = await open()
      if (!lock) return
      let running = 0
      const work = async () => {
        running += 1
        await new Promise(setImmediate)
        return running--
      }
      const all = await Promise.all(Array.from({ length: 20 }, () => lock('key', work)))
      expect(new Set(all)).toEqual(new Set([1]))
      const failure = lock('key', () => Promise.reject(new Error('passed on')))
      await expect(failure).rejects.toThrow('passed on')
      expect(await lock('key', work)).toBe(1)
    })
  })
}
