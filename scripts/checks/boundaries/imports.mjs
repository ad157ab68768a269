import { dirname, join } from 'node:path/posix'
import { importsOf } from '../imports.mjs'
import { isCode, isTest, isTestPath } from '../tree.mjs'
import { rowOf } from './rooms.mjs'

/**
 * @typedef {import('../tree.mjs').Package} Package
 * @typedef {import('../tree.mjs').SourceFile} SourceFile
 * @typedef {import('../imports.mjs').Import} Import
 * @typedef {import('./rooms.mjs').Row} Row
 * @typedef {{ pkg: Package, row: Row, file: SourceFile, packages: Package[] }} Place
 */

/**
 * Every import of every package goes where the table lets it.
 * @type {import('../findings.mjs').Check}
 */
export function checkImports({ packages }) {
  return packages.flatMap((pkg) => {
    const row = rowOf(pkg.dir)
    if (!row) return []
    return pkg.files.filter(isCode).flatMap((file) => {
      const place = { pkg, row, file, packages }
      return importsOf(file).flatMap((found) =>
        faultsOf(place, found).map((message) => ({
          file: file.path,
          line: found.line,
          rule: 'boundary',
          message,
        })),
      )
    })
  })
}

/** @returns {string[]} */
function faultsOf(/** @type {Place} */ place, /** @type {Import} */ found) {
  if (found.specifier.startsWith('.')) return relativeFaults(place, found.specifier)
  const [scope, folder, ...rest] = found.specifier.split('/')
  if (scope !== '@dataagent' || folder === undefined) return []
  return workspaceFaults(place, found, folder, ['.', ...rest].join('/'))
}

function relativeFaults(/** @type {Place} */ { pkg, row, file }, /** @type {string} */ specifier) {
  const target = join(dirname(file.path), specifier)
  if (!target.startsWith(`${pkg.dir}/`)) {
    return [`"${specifier}" leaves ${pkg.dir}: import the other package by its name`]
  }
  if (isTestPath(target)) {
    return isTest(file) ? [] : [`"${specifier}" is for tests: shipped code may not need it`]
  }
  if (!row.rooms) return []
  const room = roomOf(pkg, target)
  if (room === undefined || room === roomOf(pkg, file.path)) return []
  if (target === `${pkg.dir}/src/${room}/index.ts`) return []
  return [`"${specifier}" reaches into the room ${room}: import what its index.ts exports`]
}

function roomOf(/** @type {Package} */ pkg, /** @type {string} */ path) {
  const [src, room, ...rest] = path.slice(pkg.dir.length + 1).split('/')
  return src === 'src' && rest.length > 0 ? room : undefined
}

/** @returns {string[]} */
function workspaceFaults(
  /** @type {Place} */ { pkg, row, file, packages },
  /** @type {Import} */ found,
  /** @type {string} */ folder,
  /** @type {string} */ subpath,
) {
  const faults = []
  if (pkg.manifest?.name === `@dataagent/${folder}`) {
    faults.push(`imports itself by name: use a relative path`)
  } else if (!isAllowed(row, file, found.typeOnly, { folder, subpath })) {
    faults.push(`${pkg.dir} may not import @dataagent/${folder}: ${allowedText(row, folder)}`)
  } else if (!isDeclared(pkg, file, folder, found.typeOnly)) {
    faults.push(`@dataagent/${folder} is not in the dependencies of ${pkg.dir}/package.json`)
  }
  if (folder === 'store' && row.composes && !isTest(file) && !composes(pkg, row, file)) {
    faults.push(`only ${row.composes.join(' and ')} may know the store: pass it down from there`)
  }
  const target = packages.find((other) => other.manifest?.name === `@dataagent/${folder}`)
  if (target && !(subpath in (target.manifest?.exports ?? {}))) {
    faults.push(`"${found.specifier}" is not exported by ${target.dir}/package.json`)
  }
  return faults
}

function isAllowed(
  /** @type {Row} */ row,
  /** @type {SourceFile} */ file,
  /** @type {boolean} */ typeOnly,
  /** @type {{ folder: string, subpath: string }} */ { folder, subpath },
) {
  if (folder === 'testkit') return row.testkit === true || isTest(file)
  if (row.imports === '*' || row.imports.includes(folder)) return true
  if (row.imports.includes(join(folder, subpath))) return true
  if (row.tests?.includes(folder) && isTest(file)) return true
  return typeOnly && row.types?.includes(folder) === true
}

function allowedText(/** @type {Row} */ row, /** @type {string} */ folder) {
  if (folder === 'testkit') return 'testkit is for tests, bench and examples'
  if (row.types?.includes(folder)) return 'only its types, by `import type`'
  return `it may import ${[...row.imports].join(', ') || 'no other package'}`
}

function isDeclared(
  /** @type {Package} */ { manifest = {} },
  /** @type {SourceFile} */ file,
  /** @type {string} */ folder,
  /** @type {boolean} */ typeOnly,
) {
  const { dependencies, devDependencies, peerDependencies, optionalDependencies } = manifest
  const shipped = { ...dependencies, ...peerDependencies, ...optionalDependencies }
  const known = typeOnly || isTest(file) ? { ...shipped, ...devDependencies } : shipped
  return `@dataagent/${folder}` in known
}

function composes(
  /** @type {Package} */ pkg,
  /** @type {Row} */ row,
  /** @type {SourceFile} */ file,
) {
  return row.composes?.some((path) => {
    const place = `${pkg.dir}/${path}`
    return path.endsWith('/') ? file.path.startsWith(place) : file.path === place
  })
}
