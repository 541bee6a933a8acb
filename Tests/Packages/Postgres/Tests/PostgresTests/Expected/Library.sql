CREATE TABLE "_metadata" (
    "key" text COLLATE "C" NOT NULL,
    "value" text COLLATE "C",
    CONSTRAINT "_pk__metadata" PRIMARY KEY ("key")
);
CREATE TABLE "_sequence" (
    "name" text COLLATE "C" NOT NULL,
    "next" bigint NOT NULL,
    CONSTRAINT "_pk__sequence" PRIMARY KEY ("name")
);
CREATE TABLE "_migration" (
    "id" bigint NOT NULL,
    "source" text COLLATE "C",
    "destination" text COLLATE "C",
    "checksum" text COLLATE "C",
    "started" double precision,
    "finished" double precision,
    CONSTRAINT "_pk__migration" PRIMARY KEY ("id")
);
CREATE TABLE "Person" (
    "_id" bigint NOT NULL,
    "_version" bigint NOT NULL,
    "_entity" text COLLATE "C" NOT NULL,
    "name" text COLLATE "C",
    "age" bigint,
    "style" text COLLATE "C",
    CONSTRAINT "_pk_Person" PRIMARY KEY ("_id")
) WITH (fillfactor = 90);
CREATE TABLE "Book" (
    "_id" bigint NOT NULL,
    "_version" bigint NOT NULL,
    "title" text COLLATE "C",
    "year" bigint,
    "author" bigint,
    CONSTRAINT "_pk_Book" PRIMARY KEY ("_id")
) WITH (fillfactor = 90);
CREATE TABLE "Tag" (
    "_id" bigint NOT NULL,
    "_version" bigint NOT NULL,
    "name" text COLLATE "C",
    CONSTRAINT "_pk_Tag" PRIMARY KEY ("_id")
) WITH (fillfactor = 90);
CREATE TABLE "Chapter" (
    "_id" bigint NOT NULL,
    "_version" bigint NOT NULL,
    "title" text COLLATE "C",
    "book" bigint,
    "_order_book" bigint,
    CONSTRAINT "_pk_Chapter" PRIMARY KEY ("_id")
) WITH (fillfactor = 90);
CREATE TABLE "Book_tags" (
    "source" bigint NOT NULL,
    "destination" bigint NOT NULL,
    CONSTRAINT "_pk_Book_tags" PRIMARY KEY ("source", "destination")
);
CREATE TABLE "_save" (
    "origin" bigint NOT NULL,
    "number" bigint NOT NULL,
    "xid" xid8 NOT NULL DEFAULT pg_current_xact_id(),
    "at" double precision NOT NULL,
    "author" text COLLATE "C",
    "context" text COLLATE "C",
    "changes" bytea,
    CONSTRAINT "_pk__save" PRIMARY KEY ("origin", "number")
);
CREATE UNIQUE INDEX "Person_name" ON "Person" ("name" NULLS FIRST);
CREATE INDEX "Book_author" ON "Book" ("author" NULLS FIRST);
CREATE INDEX "Chapter_book" ON "Chapter" ("book" NULLS FIRST);
CREATE INDEX "Book_tags_destination" ON "Book_tags" ("destination" NULLS FIRST);
ALTER TABLE "Book" ADD FOREIGN KEY ("author") REFERENCES "Person" ("_id") ON DELETE SET NULL DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE "Chapter" ADD FOREIGN KEY ("book") REFERENCES "Book" ("_id") ON DELETE SET NULL DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE "Book_tags" ADD FOREIGN KEY ("source") REFERENCES "Book" ("_id") ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE "Book_tags" ADD FOREIGN KEY ("destination") REFERENCES "Tag" ("_id") ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED;
