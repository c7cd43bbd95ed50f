import { resource } from '@/app/api/v1/_door';

export const { GET, POST, PUT, PATCH, DELETE } = resource('/audit/check');
