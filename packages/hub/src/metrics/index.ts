export type { HubMetrics, MetricSources } from './contract.ts'
export { createHubMetrics } from './hub-metrics.ts'
