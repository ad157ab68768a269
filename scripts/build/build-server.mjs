import { cp } from 'node:fs/promises'
import { join } from 'node:path'
import { bundle } from './bundle.mjs'

/**
 * Adds to the compiled server what it finds beside itself in the repository: the built pages and
 * the sample programs, each with all that it needs.
 * @param {string} root
 * @param {string} dist
 */
export async function completeServer(root, dist) {
  await cp(join(root, 'apps/web/dist'), join(dist, 'pages'), { recursive: true })
  const programOf = (/** @type {string} */ name) => join(root, 'examples', name, 'main.ts')
  await bundle({
    to: join(dist, 'examples'),
    input: { 'mall/main': programOf('mall'), 'clinic/main': programOf('clinic') },
  })
}
