import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { completeCommands } from '../registry.ts'
import { startTestRig, type TestApp, type TestRig, widestOf } from '../test-app.ts'

let rig: TestRig
/** One person, in a session with queries. */
let ada: TestApp

const byRegion = 'SELECT region, sum(amount) AS total FROM orders GROUP BY 1 ORDER BY 2 DESC'

beforeAll(async () => {
  rig = await startTestRig()
  const folder = join(rig.folder, 'shop')
  await mkdir(folder)
  const rows = Array.from(
    { length: 300 },
    (_, n) => `${n},${['华东', '华北', '西部'][n % 3]},${n}.5`,
  )
  await writeFile(join(folder, 'orders.csv'), `id,region,amount\n${rows.join('\n')}\n`)
  await writeFile(join(folder, 'people.csv'), 'name\nada\n')
  await rig.clientOf('boss').data.createSource({
    ...{ name: 'shop', description: 'Orders of a shop', location: { kind: 'files', folder } },
    notes: {
      tables: {
        orders: {
          description: 'One row an order',
          columns: { amount: { description: 'In yuan' } },
        },
      },
    },
  })
  ada = rig.createApp({ columns: 72 })
  await ada.talk('Hello')
  await ada.run(`/sql ${byRegion}`)
}, 60_000)
afterAll(() => rig[Symbol.asyncDispose]())

describe('/sql', () => {
  test('runs a query as the person, on the only source, and shows it', async () => {
    const shown = await ada.run(`/sql ${byRegion}`)
    const [facts, head, , first] = shown.split('\n')
    expect(facts).toMatch(/^q\d+ · 3 rows · .* · shop$/)
    expect(head).toMatch(/^region │ +total/)
    expect(first).toMatch(/^西部 +│ 15100 +▇+$/)
    expect(widestOf(shown)).toBeLessThanOrEqual(72)
  })

  test('lists the queries of the session; one of them with its SQL and rows', async () => {
    await ada.run('/sql SELECT * FROM orders --source shop')
    const listed = await ada.run('/sql')
    expect(listed).toMatch(/q1 +3 .*shop +SELECT region/)
    expect(listed).toMatch(/q\d+ +300 /)
    const [, ref = ''] = /(q\d+) +300 /.exec(listed) ?? []
    const shown = await ada.run(`/sql ${ref}`)
    expect(shown).toMatch(/^SELECT \* FROM orders\n/)
    expect(shown).toContain(`… 100 more: /sql ${ref} --csv`)
    expect(shown.split('\n')).toHaveLength(1 + 1 + 2 + 200 + 1)
  })

  test('finds the last one of a session with many', async () => {
    const { run, talk, client, app } = rig.createApp()
    await talk('Hello')
    const { session_id } = app.session!
    for (let n = 1; n <= 201; n += 1) {
      await client.data.run({ source: 'shop', session_id, sql: `SELECT ${n} AS answer` })
    }
    expect(await run('/sql q201')).toMatch(/^SELECT 201 AS answer\n/)
    expect(await run('/sql')).toMatch(/q1 [\s\S]*q201 /)
  }, 120_000)

  test('saves all rows as a file of the folder, and replaces one only where told to', async () => {
    const told = await ada.run('/sql q1 --csv out.csv')
    expect(told).toMatch(/^\[good\] Saved as out\.csv/)
    expect(await readFile(join(rig.folder, 'out.csv'), 'utf8')).toContain('西部,15100')
    expect(await ada.run('/sql q1 --csv out.csv')).toContain('Nothing was changed')
    expect(await ada.run('/sql q1 --csv ../out.csv')).toContain('is not in this folder')
  })

  test('says why a statement is refused, and what there is instead', async () => {
    expect(await ada.run('/sql DROP TABLE orders')).toMatch(/^\[bad\] (?!You may not)/)
    expect(await ada.run('/sql SELECT nothing FROM orders')).toMatch(/^\[bad\] .*nothing/)
    expect(await ada.run('/sql --source ship SELECT 1')).toContain('There are: shop, workspace')
    expect(await ada.run('/sql q77')).toContain('no query q77')
    expect(await ada.run('/sql q1 --pdf')).toContain('Use: /sql')
  })

  test('without a session has numbers of its own', async () => {
    const { run } = rig.createApp({ lang: 'zh' })
    expect(await run('/sql')).toContain('还没有执行查询')
    expect(await run('/sql SELECT 41 + 1 AS answer')).toContain('q1 · 1 行')
    expect(await run('/sql q1')).toMatch(/SELECT 41[\s\S]*42/)
    expect(await run('/sql q9')).toContain('没有查询 q9')
  })
})

describe('/schema', () => {
  test('tells the sources, the tables of one, and the columns of one table', async () => {
    const { run } = rig.createApp()
    expect(await run('/schema')).toMatch(/shop +files +Orders of a shop/)
    const tables = await run('/schema SHOP')
    expect(tables).toMatch(/orders .*3 columns +One row an order/)
    expect(tables).toContain('people')
    const columns = await run('/schema shop orders')
    expect(columns).toContain('One row an order')
    expect(columns).toMatch(/amount +DOUBLE +In yuan/)
    expect(await run('/schema shop none')).toContain('no table none in shop')
    expect(await run('/schema none')).toContain('There are: shop')
  })
})

describe('/chart', () => {
  test('draws the chart that fits a query', async () => {
    const shown = await ada.run('/chart q1')
    expect(shown).toMatch(/^西部 █+ +15,100/m)
    expect(widestOf(shown)).toBeLessThanOrEqual(72)
    await ada.run("/sql SELECT 'a' AS a, 'b' AS b")
    const [, ref = ''] = /(q\d+) [^\n]*'a' AS a/.exec(await ada.run('/sql')) ?? []
    expect(await ada.run(`/chart ${ref}`)).toContain('No chart fits')
  })

  test('saves it as an image, or as a page with its rows', async () => {
    expect(await ada.run('/chart q1 --svg c.svg')).toContain('[good] Saved as c.svg')
    expect(await readFile(join(rig.folder, 'c.svg'), 'utf8')).toMatch(/^<svg[\s\S]*西部/)
    expect(await ada.run('/chart q1 --html c.html')).toContain('[good] Saved as c.html')
    expect(await readFile(join(rig.folder, 'c.html'), 'utf8')).toMatch(/<svg[\s\S]*<td>西部<\/td>/)
    expect(await ada.run('/chart')).toContain('Use: /chart')
  })
})

describe('completion', () => {
  const { signal } = new AbortController()
  const complete = async (before: string, text: string) =>
    (await completeCommands({ kind: 'argument', before, text }, ada.app, signal)).map(
      ({ value }) => value,
    )

  test('is of queries, sources and tables', async () => {
    expect(await complete('/sql', 'q1')).toContain('q1')
    expect(await complete('/sql --source', 's')).toEqual(['shop'])
    expect(await complete('/sql SELECT * FROM', 'or')).toEqual(['orders'])
    expect(await complete('/sql --source shop SELECT * FROM', 'p')).toEqual(['people'])
    expect(await complete('/sql q1', '--c')).toEqual(['--csv'])
    expect(await complete('/schema', '')).toEqual(['shop', 'workspace'])
    expect(await complete('/schema shop', 'o')).toEqual(['orders'])
    expect(await complete('/chart q1', '')).toEqual(['--svg', '--html'])
  })
})
