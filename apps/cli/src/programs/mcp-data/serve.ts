// Apart, so that what asks databases is loaded when it is served.
export { serveDataOverStdio } from '@dataagent/data'
