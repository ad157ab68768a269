import type { ChannelVersion, CheckpointRow, CheckpointStore } from '@dataagent/schema'
import { readJson } from '@dataagent/schema'
import type { Selectable } from 'kysely'
import { assertThread, toHistoryId } from './histories.ts'
import { inBatches, joinParts } from './parts.ts'
import type { CheckpointRowsOptions, CheckpointTables } from './tables.ts'

const versionsPerSelect = 200

export function createCheckpointReads({
  db,
}: CheckpointRowsOptions): Pick<
  CheckpointStore,
  'get' | 'list' | 'values' | 'writes' | 'namespaces'
> {
  const rows = () =>
    db
      .selectFrom('checkpoints')
      .innerJoin(
        'checkpoint_histories',
        'checkpoint_histories.history_id',
        'checkpoints.history_id',
      )
      .selectAll()

  return {
    async get(history, checkpoint_id) {
      let query = rows().where('checkpoints.history_id', '=', toHistoryId(history))
      if (checkpoint_id !== undefined) query = query.where('checkpoint_id', '=', checkpoint_id)
      const row = await query.orderBy('checkpoint_id', 'desc').limit(1).executeTakeFirst()
      // MySQL finds `a` by `a ` too.
      const found = row && (checkpoint_id ?? row.checkpoint_id) === row.checkpoint_id
      return found ? fromRow(row) : undefined
    },

    async list({ tenant_id, thread_id, checkpoint_ns, checkpoint_id, before, after, limit }) {
      if (thread_id !== undefined) assertThread(tenant_id, thread_id)
      let query = rows().where('tenant_id', '=', tenant_id)
      if (thread_id !== undefined) query = query.where('thread_id', '=', thread_id)
      if (checkpoint_ns !== undefined) query = query.where('checkpoint_ns', '=', checkpoint_ns)
      if (checkpoint_id !== undefined) query = query.where('checkpoint_id', '=', checkpoint_id)
      if (before !== undefined) query = query.where('checkpoint_id', '<', before)
      if (after !== undefined) {
        const history_id = toHistoryId(after)
        query = query.where(({ and, or, eb }) =>
          or([
            eb('checkpoint_id', '<', after.checkpoint_id),
            and([
              eb('checkpoint_id', '=', after.checkpoint_id),
              eb('checkpoints.history_id', '<', history_id),
            ]),
          ]),
        )
      }
      const ordered = query.orderBy('checkpoint_id', 'desc')
      const page = ordered.orderBy('checkpoints.history_id', 'desc').limit(limit)
      return (await page.execute()).map(fromRow)
    },

    async values(history, wanted) {
      const history_id = toHistoryId(history)
      const versions = new Map(wanted.map((one) => [keyOf(one), one.version]))
      const found = []
      for (const batch of inBatches(wanted, versionsPerSelect)) {
        const query = db
          .selectFrom('checkpoint_values')
          .select(['channel', 'version', 'type', 'parts', 'tail'])
          .where('history_id', '=', history_id)
          .where(({ and, or }) =>
            or(batch.map(({ channel, version }) => and({ channel, version: `${version}` }))),
          )
        found.push(...(await query.execute()))
      }
      const values = await joinParts(db, history_id, found)
      return values.map((value) => ({ ...value, version: versions.get(keyOf(value))! }))
    },

    async writes(history, checkpoint_id) {
      const history_id = toHistoryId(history)
      const found = await db
        .selectFrom('checkpoint_writes')
        .select(['task_id', 'idx', 'channel', 'type', 'parts', 'tail'])
        .where(({ and }) => and({ history_id, checkpoint_id }))
        .orderBy('task_id')
        .orderBy('idx')
        .execute()
      return joinParts(db, history_id, found)
    },

    async namespaces(tenant_id, thread_id) {
      assertThread(tenant_id, thread_id)
      const found = await db
        .selectFrom('checkpoint_histories')
        .select('checkpoint_ns')
        .where(({ and }) => and({ tenant_id, thread_id }))
        .execute()
      return found.map(({ checkpoint_ns }) => checkpoint_ns)
    },
  }
}

type Joined = Selectable<CheckpointTables['checkpoints'] & CheckpointTables['checkpoint_histories']>

function fromRow({ history_id, channel_versions, metadata_type, metadata, ...row }: Joined) {
  const versions = readJson(channel_versions) as CheckpointRow['channel_versions']
  const bytes = new Uint8Array(metadata)
  return { ...row, channel_versions: versions, metadata: { type: metadata_type, bytes } }
}

const keyOf = ({ channel, version }: ChannelVersion) => `${channel}\n${version}`
