import { dependenciesOf } from '../tree.mjs'
import { rowOf } from './rooms.mjs'

/**
 * Every package has a row in the table, a whole package.json, and declares only what the table
 * allows.
 * @type {import('../findings.mjs').Check}
 */
export function checkManifests({ packages }) {
  return packages.flatMap((pkg) =>
    [...tableFaults(pkg), ...fieldFaults(pkg), ...declaredFaults(pkg)].map((message) => ({
      file: `${pkg.dir}/package.json`,
      rule: 'package',
      message,
    })),
  )
}

function tableFaults(/** @type {import('../tree.mjs').Package} */ { dir }) {
  return rowOf(dir) ? [] : [`${dir} is unknown: add a row to scripts/checks/boundaries/rooms.mjs`]
}

function fieldFaults(/** @type {import('../tree.mjs').Package} */ { dir, folder, manifest }) {
  if (!manifest) return ['the package has no package.json']
  const faults = []
  const scoped = `@dataagent/${dir.startsWith('examples/') ? 'example-' : ''}${folder}`
  const name = rowOf(dir)?.name ?? scoped
  if (manifest.name !== name) faults.push(`"name" must be ${name}`)
  if (!/^\d+\.\d+\.\d+/.test(manifest.version ?? '')) faults.push('"version" is missing')
  if (!manifest.license) faults.push('"license" is missing')
  if (manifest.type !== 'module') faults.push('"type" must be "module"')
  return faults
}

function declaredFaults(/** @type {import('../tree.mjs').Package} */ { dir, manifest = {} }) {
  const row = rowOf(dir)
  if (!row) return []
  return dependenciesOf(manifest).flatMap(({ section, name }) => {
    const [scope, folder = ''] = name.split('/')
    if (scope !== '@dataagent') return []
    if (folder === 'testkit') {
      return row.testkit || section === 'devDependencies'
        ? []
        : [`@dataagent/testkit belongs in devDependencies`]
    }
    if (section === 'devDependencies' && row.tests?.includes(folder)) return []
    const known = [...row.imports, ...(row.types ?? []), ...(row.starts ?? [])].map(
      (one) => one.split('/', 1)[0],
    )
    const allowed = row.imports === '*' || known.includes(folder)
    return allowed ? [] : [`${dir} may not depend on ${name}`]
  })
}
