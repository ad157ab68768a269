import { randomBytes } from 'node:crypto'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { createDatabase } from '@dataagent/testkit'
import { makeDuckdb } from '../../packages/data/src/engines/test-sources.ts'
import { blocksOf, withPlaces } from './page-blocks.ts'

/** Makes the sources that the guide of data speaks of; gives what their names stand for. */
export async function makeSources(
  guide: string,
  folder: string,
  cleanup: AsyncDisposableStack,
): Promise<Record<string, string>> {
  const files = await makeFiles(folder)
  const [forPostgres = '', forMysql = ''] = blocksOf(guide, 'sql')
  return {
    ...files,
    ...(await makeStock(forMysql, cleanup)),
    ...(await makeShop(forPostgres, cleanup)),
    // That of the databases of tests has no certificate.
    '"ssl": "on"': '"ssl": "off"',
  }
}

/** The files alone. */
export async function makeFiles(folder: string): Promise<Record<string, string>> {
  const srv = join(folder, 'srv')
  await mkdir(join(srv, 'sales'), { recursive: true })
  await writeFile(join(srv, 'sales/orders.csv'), 'region,amount\nEast,10\nEast,20\nWest,20\n')
  const sql = 'CREATE TABLE sales (region TEXT, amount INTEGER)'
  await makeDuckdb(join(srv, 'lake.duckdb'), [sql])
  using database = new DatabaseSync(join(srv, 'till.sqlite'))
  database.exec(sql)
  return { '/srv/': `${srv}/` }
}

/** Each has users of its own on the server that tests share. */
const newReader = () => `reader_${randomBytes(4).toString('hex')}`

/** The shop, in PostgreSQL, with the role that the guide makes. */
async function makeShop(grants: string, cleanup: AsyncDisposableStack) {
  const database = cleanup.use(await createDatabase('postgres'))
  const reader = newReader()
  await database.query(`
    CREATE TABLE orders (order_id int, region text, amount numeric(10,2), internal_note text);
    CREATE TABLE customers (customer_id int, full_name text, region text);
    CREATE TABLE import_log (at timestamp);
    INSERT INTO orders VALUES (1, 'East', 10, 'n'), (2, 'East', 20, 'n'), (3, 'West', 20, 'n')`)
  await database.query(grants.replaceAll('reader', reader))
  cleanup.defer(async () => {
    await database.query(`DROP OWNED BY ${reader}`)
    await database.query(`DROP ROLE ${reader}`)
  })
  const { hostname, port, pathname } = new URL(database.url)
  return {
    '"host": "db.example.com", "port": 5432, "database": "shop"': `"host": "${hostname}", "port": ${port}, "database": "${pathname.slice(1)}"`,
    '"user": "reader"': `"user": "${reader}"`,
  }
}

/** The stock, in MariaDB. */
async function makeStock(grants: string, cleanup: AsyncDisposableStack) {
  const database = cleanup.use(await createDatabase('mysql'))
  const { host, pathname } = new URL(database.url)
  const name = pathname.slice(1)
  const reader = newReader()
  for (const table of ['items (item_id INT)', 'suppliers (supplier_id INT, city TEXT, iban TEXT)'])
    await database.query(`CREATE TABLE ${table}`)
  const statements = withPlaces(grants, { reader, 'stock.': `${name}.` }).split(';\n')
  for (const sql of statements.filter(Boolean)) await database.query(sql)
  cleanup.defer(async () => void (await database.query(`DROP USER '${reader}'@'%'`)))
  return {
    'mysql://reader:change-me@db.example.com:3306/stock?sslmode=verify-full': `mysql://${reader}:change-me@${host}/${name}`,
  }
}
