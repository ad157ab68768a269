import { openSql } from '@dataagent/store/sql'
import { createAudit } from './audit.ts'
import { aRecord, aStart } from './test-records.ts'

/**
 * A process for kill tests: `test-calling-process.ts URL DIR KEY` begins and ends calls of two
 * tenants from eight hands without end. It prints `begun <call_id>` once a call has begun,
 * `ended <call_id>` once its end is recorded, and `stored` when it has taken over what others left.
 */
const [url = '', dir = '', anchorKey = ''] = process.argv.slice(2)
const store = openSql({ url })
const options = { batch: 100, drainEveryMs: 5, segmentBytes: 30_000, anchorEveryMs: 50 }
const audit = createAudit({ rows: store.hub.calls, dir, writer: 'calls', anchorKey, ...options })

async function callForEver(hand: number) {
  for (;;) {
    const record = aRecord({ tenant_id: `t${hand % 2}`, ended_at: Date.now() })
    await audit.begin(aStart(record, hand % 3 === 0))
    process.stdout.write(`begun ${record.call_id}\n`)
    await new Promise((resolve) => setTimeout(resolve, Math.random() * 40))
    audit.record(record)
    await new Promise((resolve) => setImmediate(resolve))
    process.stdout.write(`ended ${record.call_id}\n`)
  }
}

void audit.flush().then(() => process.stdout.write('stored\n'))
await Promise.all(Array.from({ length: 8 }, (_, hand) => callForEver(hand)))
