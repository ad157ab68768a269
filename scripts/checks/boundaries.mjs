import { checkImports } from './boundaries/imports.mjs'
import { checkManifests } from './boundaries/manifests.mjs'
import { checkStructure } from './boundaries/structure.mjs'
import { checkWaysOut } from './boundaries/ways-out.mjs'
import { runAsCommand } from './findings.mjs'

/** Keeps the direction of imports, the rooms of `boundaries/rooms.mjs` and the one way out. */
export const boundaryChecks = [checkManifests, checkStructure, checkImports, checkWaysOut]

await runAsCommand(import.meta.url, boundaryChecks)
