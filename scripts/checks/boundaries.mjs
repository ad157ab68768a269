import { checkImports } from './boundaries/imports.mjs'
import { checkManifests } from './boundaries/manifests.mjs'
import { checkStructure } from './boundaries/structure.mjs'
import { runAsCommand } from './findings.mjs'

/** Keeps the direction of imports and the rooms of `boundaries/rooms.mjs`. */
export const boundaryChecks = [checkManifests, checkStructure, checkImports]

await runAsCommand(import.meta.url, boundaryChecks)
