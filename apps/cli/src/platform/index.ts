export type { PlatformOptions } from './contract.ts'
export { openBarePlatform, openPlatform } from './open-platform.ts'
export { dataDirOf, folderOf, logFileOf, serverOf } from './places.ts'
