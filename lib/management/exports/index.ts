export { startExporter, type Exporter, type ExporterOptions } from './exporter';
export { createExport, deleteExport, exportFile, getExport, KEPT_DAYS, listExports, MOST_ROWS, type ExportFile } from './verbs';
