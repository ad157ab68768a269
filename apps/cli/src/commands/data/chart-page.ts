// Apart, so that what draws is loaded when a page is asked for.
export { toChartHtml as toPage } from '@dataagent/data/exports'
