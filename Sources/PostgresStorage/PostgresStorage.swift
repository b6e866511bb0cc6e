/// Keeps what several programs share in one PostgreSQL database.
public enum PostgresStorage {}
