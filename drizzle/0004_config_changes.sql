-- Whatever a call depends on announces its change when the transaction commits, whoever made it: a verb, a script,
-- an operator in psql. Processes listen on ohm_config and drop what they keep of that workspace.
-- The same notification within one transaction goes out once. Recording use (last_used_at) is no change.

CREATE FUNCTION ohm_announce_config_change() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  IF TG_TABLE_NAME = 'workspaces' THEN
    PERFORM pg_notify('ohm_config', NEW.id);
  ELSIF TG_OP = 'DELETE' THEN
    PERFORM pg_notify('ohm_config', OLD.workspace_id);
  ELSE
    PERFORM pg_notify('ohm_config', NEW.workspace_id);
  END IF;
  RETURN NULL;
END
$$;

CREATE TRIGGER announce AFTER UPDATE ON workspaces
  FOR EACH ROW EXECUTE FUNCTION ohm_announce_config_change();
CREATE TRIGGER announce AFTER INSERT OR UPDATE OR DELETE ON connections
  FOR EACH ROW EXECUTE FUNCTION ohm_announce_config_change();
CREATE TRIGGER announce AFTER INSERT OR UPDATE OR DELETE ON routes
  FOR EACH ROW EXECUTE FUNCTION ohm_announce_config_change();
CREATE TRIGGER announce AFTER INSERT OR UPDATE OR DELETE ON route_tiers
  FOR EACH ROW EXECUTE FUNCTION ohm_announce_config_change();
CREATE TRIGGER announce AFTER INSERT OR UPDATE OR DELETE ON key_tiers
  FOR EACH ROW EXECUTE FUNCTION ohm_announce_config_change();
CREATE TRIGGER announce AFTER INSERT OR DELETE ON keys
  FOR EACH ROW EXECUTE FUNCTION ohm_announce_config_change();
CREATE TRIGGER announce_update AFTER UPDATE ON keys
  FOR EACH ROW WHEN (OLD.last_used_at IS NOT DISTINCT FROM NEW.last_used_at)
  EXECUTE FUNCTION ohm_announce_config_change();
