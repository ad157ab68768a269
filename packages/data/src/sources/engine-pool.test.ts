import { expect, test } from 'vitest'
import type { Engine } from '../engines/index.ts'
import { createEnginePool } from './engine-pool.ts'

function engine(closed: string[], name: string): Engine {
  const refuse = () => Promise.reject(new Error('not asked here'))
  return {
    ...{ kind: 'files', describe: refuse, query: refuse, check: refuse },
    [Symbol.asyncDispose]: async () => void closed.push(name),
  }
}

test('an edition is opened once, however many want it at a time', async () => {
  await using pool = createEnginePool()
  let opened = 0
  const open = async () => {
    opened += 1
    return engine([], 'a')
  }
  const taken = await Promise.all([1, 1, 1].map((edition) => pool.take('k', edition, open)))
  expect(new Set(taken).size).toBe(1)
  expect(opened).toBe(1)
})

test('a newer edition closes the older, which does not come back', async () => {
  await using pool = createEnginePool()
  const closed: string[] = []
  await pool.take('k', 1, async () => engine(closed, 'old'))
  const newer = await pool.take('k', 2, async () => engine(closed, 'new'))
  expect(closed).toEqual(['old'])
  expect(await pool.take('k', 1, async () => engine(closed, 'older'))).toBe(newer)
})

test('one that does not open is tried again', async () => {
  await using pool = createEnginePool()
  const failing = pool.take('k', 1, () => Promise.reject(new Error('no')))
  await expect(failing).rejects.toThrow('no')
  const made = engine([], 'a')
  expect(await pool.take('k', 1, async () => made)).toBe(made)
})

test('closes all, and opens none after that', async () => {
  const closed: string[] = []
  const pool = createEnginePool()
  await pool.take('a', 1, async () => engine(closed, 'a'))
  await pool.take('b', 1, async () => engine(closed, 'b'))
  await pool.drop('b')
  await pool[Symbol.asyncDispose]()
  expect(closed.toSorted()).toEqual(['a', 'b'])
  await expect(pool.take('c', 1, async () => engine(closed, 'c'))).rejects.toMatchObject({
    code: 'unavailable',
  })
})
