import { openEngine } from '../open-engine.ts'

/** A host to be killed while its runner is at work. */
const [folder = ''] = process.argv.slice(2)
const engine = openEngine({ kind: 'files', folder }, { temporaryRoot: folder })
for await (const _ of (await engine.query('SELECT 1', { timeoutMs: 60_000 })).batches);
const sql = 'SELECT count(*) FROM range(10000000) a, range(10000000) b'
void engine.query(sql, { timeoutMs: 600_000 })
console.log('up')
