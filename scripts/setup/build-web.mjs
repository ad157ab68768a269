// Builds the web page of an installed tree: all that an image needs of the set-up.
import { execPath } from 'node:process'
import { repository } from './paths.mjs'
import { buildWeb } from './web.mjs'

await buildWeb(repository, execPath)
