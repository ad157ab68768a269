import { randomBytes, randomUUID } from 'node:crypto'
import type { ChannelValue, CheckpointHistory, CheckpointRow } from '@dataagent/schema'
import { Kysely } from 'kysely'
import { expect, test } from 'vitest'
import { countRows } from '../count-rows.ts'
import { describeSql } from '../describe-sql.ts'
import { createEngine } from '../open-sql.ts'
import type { Database } from '../tables.ts'
import { toHistoryId } from './histories.ts'

await describeSql('rows of checkpoints', (subject) => {
  const rows = () => subject().store.checkpoints

  test('values that have much in common are stored once, with what is new', async () => {
    const history = aHistory()
    const text = randomBytes(400_000).toString('base64')
    const longer = `${text}, and more`
    await rows().put(aRow(history, 'a', { text: 1 }), [aValue('text', 1, text)])
    await rows().put(aRow(history, 'b', { text: 2 }), [aValue('text', 2, longer)])
    expect(await readText(history, 1)).toBe(text)
    expect(await readText(history, 2)).toBe(longer)
    expect(await storedBytes(history)).toBeLessThan(text.length * 1.1)
  })

  test('a value of a version that is there stays', async () => {
    const history = aHistory()
    await rows().put(aRow(history, 'a', { text: 1 }), [aValue('text', 1, 'first')])
    await rows().put(aRow(history, 'b', { text: 1 }), [aValue('text', 1, 'second')])
    expect(await readText(history, 1)).toBe('first')
  })

  test('of what is deleted nothing stays behind; what is shared does', async () => {
    const history = aHistory()
    const texts = [1, 2, 3].map(() => randomBytes(100_000).toString('base64'))
    const shared = texts[2]!
    for (const [n, text] of [...texts, `${shared}!`].entries()) {
      const checkpoint_id = `${n}`
      await rows().put(aRow(history, checkpoint_id, { text: n }), [aValue('text', n, text)])
      await rows().putWrites(history, checkpoint_id, [
        { task_id: 'task', idx: 0, ...aValue('text', n, text) },
      ])
    }
    expect(await rows().deleteBefore(history, '3')).toBe(3)
    expect(await readText(history, 3)).toBe(`${shared}!`)
    expect(await storedBytes(history)).toBeLessThan(shared.length * 1.1)
    expect(await rows().writes(history, '2')).toEqual([])
    expect(await rows().writes(history, '3')).toHaveLength(1)

    await rows().deleteThread(history.tenant_id, history.thread_id)
    expect(await countAll(history)).toBe(0)
  })

  async function readText(history: CheckpointHistory, version: number) {
    const [value] = await rows().values(history, [{ channel: 'text', version }])
    return new TextDecoder().decode(value?.bytes)
  }

  async function storedBytes(history: CheckpointHistory): Promise<number> {
    return asking(async (db) => {
      const parts = db.selectFrom('checkpoint_parts').select('bytes')
      const found = await parts.where('history_id', '=', toHistoryId(history)).execute()
      return found.reduce((sum, { bytes }) => sum + bytes.length, 0)
    })
  }

  async function countAll(history: CheckpointHistory): Promise<number> {
    const history_id = toHistoryId(history)
    return asking(async (db) => {
      const counts = [
        countRows(db.selectFrom('checkpoint_histories').where('history_id', '=', history_id)),
        countRows(db.selectFrom('checkpoints').where('history_id', '=', history_id)),
        countRows(db.selectFrom('checkpoint_values').where('history_id', '=', history_id)),
        countRows(db.selectFrom('checkpoint_writes').where('history_id', '=', history_id)),
        countRows(db.selectFrom('checkpoint_parts').where('history_id', '=', history_id)),
      ]
      return (await Promise.all(counts)).reduce((sum, count) => sum + count, 0)
    })
  }

  async function asking<T>(ask: (db: Kysely<Database>) => Promise<T>): Promise<T> {
    const { dialect } = createEngine({ url: subject().url })
    await using db = new Kysely<Database>({ dialect })
    return await ask(db)
  }
})

function aHistory(): CheckpointHistory {
  return { tenant_id: 'acme', thread_id: randomUUID(), checkpoint_ns: '' }
}

function aRow(
  history: CheckpointHistory,
  checkpoint_id: string,
  channel_versions: CheckpointRow['channel_versions'],
): CheckpointRow {
  const metadata = { type: 'json', bytes: new TextEncoder().encode('{}') }
  const parent_checkpoint_id = null
  return {
    ...history,
    ...{ checkpoint_id, parent_checkpoint_id, channel_versions, checkpoint: '{}', metadata },
  }
}

function aValue(channel: string, version: number, text: string): ChannelValue {
  return { channel, version, type: 'text', bytes: new TextEncoder().encode(text) }
}
