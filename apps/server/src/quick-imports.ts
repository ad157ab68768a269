import { type RegisterHooksOptions, registerHooks } from 'node:module'

type Resolve = NonNullable<RegisterHooksOptions['resolve']>

/**
 * From now on imports are resolved with less: Node looks at the disk for each of the thousands of
 * a start. What is named by its path is where it says, and all files of one package of ours mean
 * the same by a name.
 */
export function resolveQuickly(): void {
  const known = new Map<string, ReturnType<Resolve>>()
  registerHooks({
    resolve(specifier, context, next) {
      const { parentURL: from, conditions } = context
      if (!from?.startsWith('file:') || !conditions.includes('import'))
        return next(specifier, context)
      if (path.test(specifier)) return toFile(new URL(specifier, from).href)
      const folder = ownFolder.exec(from)?.[1]
      if (folder === undefined || specifier.startsWith('.')) return next(specifier, context)
      const key = `${folder} ${specifier}`
      const found = known.get(key) ?? { ...next(specifier, context), shortCircuit: true }
      known.set(key, found)
      return found
    },
  })
}

/** With its extension: nothing has to be tried. */
const path = /^\.\.?\/.*\.(?:ts|js|mjs)$/
/** Of a module of ours, the folder of its package. */
const ownFolder = /^((?!.*\/node_modules\/).*(?=\/src\/)|.*\/@dataagent\/[^/]+(?=\/dist\/))/

function toFile(url: string): ReturnType<Resolve> {
  const format = url.endsWith('.ts') ? { format: 'module-typescript' } : {}
  return { url, ...format, shortCircuit: true }
}
