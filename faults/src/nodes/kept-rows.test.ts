import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createClient } from '@dataagent/client'
import { canStartService, temporaryDirectory } from '@dataagent/testkit'
import { expect, test } from 'vitest'
import { startNodes } from './start-nodes.ts'

const apiKey = 'key-of-the-operator-0123456789'
const apiKeys = `tenant=default;user=root;role=platform_admin;key=${apiKey}`
const isHere = await canStartService('redis')

const patience = { timeout: 120_000 }

test.runIf(isHere)(
  'rows that a query kept at one node are read at the other',
  patience,
  async () => {
    await using folder = await temporaryDirectory()
    await writeFile(join(folder.path, 'orders.csv'), 'region,amount\nEast,10\nEast,20\nWest,20\n')
    await using nodes = await startNodes({ env: { DATAAGENT_API_KEYS: apiKeys } })
    const [one, other] = nodes.nodes.map(({ url }) => createClient({ baseUrl: url, apiKey }))

    await one!.data.createSource({
      name: 'sales',
      location: { kind: 'files', folder: folder.path },
    })
    const { session_id } = await one!.sessions.create({})
    const sql = 'SELECT region, sum(amount) AS amount FROM orders GROUP BY region ORDER BY region'
    const { query_id } = await one!.data.run({ source: 'sales', sql, session_id })
    const { rows } = await other!.data.rows(query_id)
    expect(rows).toEqual([
      ['East', 30],
      ['West', 20],
    ])
  },
)
