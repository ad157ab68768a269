export { type ServeDataOptions, serveDataOverStdio } from './serve-data.ts'
