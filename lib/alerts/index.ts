export { startAlerts, type Alerts, type AlertsOptions } from './alerts';
export { createChannel, deleteChannel, listChannels, rotateChannel, updateChannel } from './channel-verbs';
export { listDeliveries, resendDelivery } from './delivery-verbs';
export { ruleIssues } from './rule-check';
export { createAlert, deleteAlert, getAlert, listAlertEvents, listAlerts, testAlert, updateAlert, type AlertServices } from './rule-verbs';
export { createMailer, type Mailer, type MailSettings } from './send-mail';
