import { join } from 'node:path'
import { temporaryDirectory } from '@dataagent/testkit'
import { expect, test } from 'vitest'
import { keepShare, readResults } from './results.ts'

test('shares that are kept at the same time are all there', async () => {
  await using folder = await temporaryDirectory()
  const file = join(folder.path, 'faults.json')
  const shares = Array.from({ length: 20 }, (_, at) => `share-${at}`)
  await Promise.all(shares.map((share, at) => keepShare(file, share, { at })))
  const kept = await readResults(file)
  expect(Object.keys(kept).toSorted()).toEqual(shares.toSorted())
  expect(kept['share-7']).toMatchObject({ at: 7 })
})
